#include "cli/tui/tui_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/live/progress_block.h"
#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

// Below this the plans and the pane do not stand side by side.
constexpr std::size_t kWideEnough = 64;
constexpr std::size_t kWidestList = 52;
constexpr std::size_t kMostItems = 6;

struct Area {
  std::size_t row = 0;
  std::size_t column = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

struct PlanSymbol {
  std::string_view text;
  Tone tone;
};

PlanSymbol plan_symbol(WorkStatus status, bool unicode) {
  switch (status) {
    case WorkStatus::kQueued:
      return {unicode ? "·" : ".", Tone::kDim};
    case WorkStatus::kWaiting:
      return {unicode ? "◆" : "?", Tone::kWarn};
    case WorkStatus::kDone:
      return {unicode ? "✓" : "+", Tone::kGood};
    case WorkStatus::kFailed:
      return {unicode ? "✗" : "x", Tone::kBad};
    case WorkStatus::kWorking:
      break;
  }
  return {unicode ? "●" : "*", Tone::kAccent};
}

Tone tone_of_status(WorkStatus status) { return plan_symbol(status, true).tone; }

class Drawing {
 public:
  Drawing(const TuiModel& model, CellScreen& screen)
      : model_(model), screen_(screen), size_(screen.size()) {}

  void draw() {
    screen_.clear();
    if (model_.is_too_small()) return too_small();
    title();
    if (model_.shows_help()) {
      help();
    } else {
      body();
    }
    bottom();
  }

 private:
  std::size_t put(std::size_t row, std::size_t column, std::string_view text, Tone tone,
                  std::size_t width) {
    if (width == 0) return 0;
    const std::string shown = service::shortened(printable(text), width, model_.unicode());
    return screen_.put({row, column}, shown, {tone}, width);
  }

  void too_small() {
    const std::string size = std::to_string(size_.columns) + "x" + std::to_string(size_.rows) +
                             ", at least " + std::to_string(TuiModel::kLeast.columns) + "x" +
                             std::to_string(TuiModel::kLeast.rows);
    std::size_t row = 0;
    for (const std::string& line :
         wrapped("too small: " + size + " (q quits)", std::max<std::size_t>(size_.columns, 1))) {
      screen_.put({row++, 0}, line, {Tone::kWarn});
    }
  }

  void title() {
    std::size_t needing = 0;
    std::size_t working = 0;
    for (const TuiPlan& plan : model_.plans()) {
      needing += urgency_of(plan) == 0 ? 1 : 0;
      working += urgency_of(plan) == 1 ? 1 : 0;
    }
    const std::size_t all = model_.plans().size();
    std::string text = " agents  " + std::to_string(all) + (all == 1 ? " plan" : " plans");
    if (working > 0) text += ", " + std::to_string(working) + " working";
    if (needing > 0) {
      text += ", " + std::to_string(needing) + (needing == 1 ? " needs you" : " need you");
    }
    const std::size_t used = put(0, 0, text, Tone::kStrong, size_.columns);
    const std::size_t left = size_.columns - used;
    const std::string where =
        service::shortened(model_.place(), left > 3 ? left - 3 : 0, model_.unicode());
    put(0, size_.columns - std::min(size_.columns, columns(where) + 1), where, Tone::kDim, left);
    screen_.restyle({0, 0}, size_.columns, true);
  }

  // Between the title and what is asked or said, and the keys.
  void body() {
    const std::size_t rows = size_.rows - 2 - (has_extra_row() ? 1 : 0);
    const Area all{.row = 1, .column = 0, .rows = rows, .columns = size_.columns};
    if (model_.plans().empty()) return nothing(all);
    if (size_.columns < kWideEnough || model_.is_zoomed()) {
      return model_.is_zoomed() ? pane(all) : list(all);
    }
    const std::size_t width = std::min(kWidestList, size_.columns * 2 / 5);
    list({all.row, 0, rows, width});
    for (std::size_t row = 0; row < rows; ++row) {
      screen_.put({all.row + row, width}, model_.unicode() ? "│" : "|", {Tone::kDim});
    }
    pane({all.row, width + 2, rows, size_.columns - width - 2});
  }

  void nothing(const Area& area) {
    if (!model_.has_plans_yet()) return;
    std::size_t row = area.row;
    for (const std::string& line :
         wrapped("No plan yet: press + and type a task to start one.", area.columns)) {
      put(row++, 0, line, Tone::kDim, area.columns);
    }
  }

  void list(const Area& area) {
    const std::size_t chosen = model_.selected_index();
    const std::size_t first = chosen >= area.rows ? chosen - area.rows + 1 : 0;
    for (std::size_t at = first; at < model_.plans().size() && at - first < area.rows; ++at) {
      const std::size_t row = area.row + at - first;
      plan_row(model_.plans()[at], row, area);
      if (at == chosen) screen_.restyle({row, area.column}, area.columns, true);
    }
  }

  void plan_row(const TuiPlan& plan, std::size_t row, const Area& area) {
    const WorkStatus status = status_of(plan);
    const PlanSymbol symbol = plan_symbol(status, model_.unicode());
    put(row, area.column, symbol.text, symbol.tone, 1);
    const std::string state = plan.stopped                                           ? "stopped"
                              : plan.in_conflict                                     ? "conflict"
                              : plan.state == "processing" || plan.state == "queued" ? plan.phase
                                                                                     : plan.state;
    const std::size_t width = area.columns - 2;
    const std::size_t right = std::min(columns(state), width / 2);
    put(row, area.column + 2, plan.title, Tone::kPlain, width - right - 1);
    put(row, area.column + area.columns - right, state, tone_of_status(status), right);
  }

  void pane(Area area) {
    const TuiPlan& plan = *model_.selected();
    put(area.row, area.column, plan.title, Tone::kStrong, area.columns);
    facts(plan, area.row + 1, area);
    tabs(area.row + 2, area);
    area.row += 3;
    area.rows -= std::min<std::size_t>(area.rows, 3);
    approval(plan, area);
    const TuiDetail& detail = model_.detail();
    switch (model_.pane()) {
      case TuiPane::kTree:
        return tree(detail.tree, area);
      case TuiPane::kStream:
        return stream(detail.stream, area);
      case TuiPane::kDiff:
        return diff(detail.diff, area);
      case TuiPane::kLog:
        return stream(detail.log, area);
    }
  }

  void facts(const TuiPlan& plan, std::size_t row, const Area& area) {
    const std::string place = plan.phase + "/" + plan.state +
                              (plan.stopped       ? ", stopped: r resumes it"
                               : plan.in_conflict ? ", e resolves it"
                                                  : "");
    std::size_t used = put(row, area.column, place, tone_of_status(status_of(plan)), area.columns);
    const auto add = [&](const std::string& text, Tone tone) {
      if (text.empty() || used + 2 >= area.columns) return;
      used += 2 + put(row, area.column + used + 2, text, tone, area.columns - used - 2);
    };
    add(plan.cost > 0 ? cost_text(plan.cost) : "", Tone::kDim);
    add(plan.reason, Tone::kPlain);
  }

  void tabs(std::size_t row, const Area& area) {
    struct Tab {
      TuiPane pane;
      std::string_view name;
    };
    constexpr std::array<Tab, kTuiPanes> kTabs{{{TuiPane::kTree, " 1 tree "},
                                                {TuiPane::kStream, " 2 stream "},
                                                {TuiPane::kDiff, " 3 diff "},
                                                {TuiPane::kLog, " 4 log "}}};
    std::size_t column = area.column;
    for (const Tab& tab : kTabs) {
      const bool shown = tab.pane == model_.pane();
      const std::size_t used = put(row, column, tab.name, shown ? Tone::kStrong : Tone::kDim,
                                   area.column + area.columns - column);
      if (shown) screen_.restyle({row, column}, used, true);
      column += used + 1;
    }
  }

  // What is asked stands at the end of the pane, where the answer is typed.
  void approval(const TuiPlan& plan, Area& area) {
    if (!plan.approval || area.rows < 2) return;
    const auto& items = plan.approval->items;
    const std::size_t room = std::min({items.size(), kMostItems, area.rows / 2});
    const std::size_t rows = room + 1;
    area.rows -= rows;
    std::size_t row = area.row + area.rows;
    const std::string subject = plan.approval->subject.empty() ? "" : plan.approval->subject + ": ";
    std::string ask = subject + "y approves, n rejects";
    if (items.size() > room) ask += " (" + std::to_string(items.size()) + " in all)";
    put(row++, area.column, ask, Tone::kWarn, area.columns);
    for (std::size_t i = 0; i < room; ++i) {
      put(row++, area.column + 2, items[i], Tone::kPlain, area.columns - 2);
    }
  }

  void tree(const std::vector<TuiTreeRow>& rows, const Area& area) {
    const std::size_t first = std::min(model_.scroll(), rows.empty() ? 0 : rows.size() - 1);
    for (std::size_t at = first; at < rows.size() && at - first < area.rows; ++at) {
      const TuiTreeRow& each = rows[at];
      const std::size_t row = area.row + at - first;
      std::size_t used = std::min(2 * each.depth, area.columns / 2);
      if (each.status) {
        const PlanSymbol symbol = plan_symbol(*each.status, model_.unicode());
        put(row, area.column + used, symbol.text, symbol.tone, 1);
        used += 2;
      }
      used += put(row, area.column + used, each.text, each.tone, area.columns - used);
      if (!each.note.empty() && used + 2 < area.columns) {
        put(row, area.column + used + 2, each.note, Tone::kDim, area.columns - used - 2);
      }
    }
  }

  // The end of it, wrapped.
  void stream(const std::vector<TuiText>& lines, const Area& area) {
    std::vector<TuiText> rows;
    const std::size_t wanted = area.rows + model_.scroll();
    for (auto line = lines.rbegin(); line != lines.rend() && rows.size() < wanted; ++line) {
      auto wrapped_line = wrapped(printable(line->text), area.columns);
      for (auto piece = wrapped_line.rbegin(); piece != wrapped_line.rend(); ++piece) {
        rows.push_back({std::move(*piece), line->tone});
      }
    }
    const std::size_t skipped =
        std::min(model_.scroll(), rows.size() - std::min(rows.size(), area.rows));
    const std::size_t shown = std::min(area.rows, rows.size() - skipped);
    for (std::size_t i = 0; i < shown; ++i) {
      const TuiText& each = rows[skipped + shown - 1 - i];
      put(area.row + i, area.column, each.text, each.tone, area.columns);
    }
  }

  void diff(const std::vector<TuiText>& lines, const Area& area) {
    if (lines.empty()) {
      put(area.row, area.column, "nothing is changed", Tone::kDim, area.columns);
    }
    const std::size_t first = std::min(model_.scroll(), lines.empty() ? 0 : lines.size() - 1);
    for (std::size_t at = first; at < lines.size() && at - first < area.rows; ++at) {
      put(area.row + at - first, area.column, lines[at].text, lines[at].tone, area.columns);
    }
  }

  [[nodiscard]] bool has_extra_row() const {
    return model_.said() || model_.prompt() || !model_.question().empty();
  }

  void bottom() {
    const std::size_t row = size_.rows - 2;
    if (model_.prompt()) {
      write(row);
      if (model_.said()) {
        put(row - 1, 0, " " + model_.said()->text, model_.said()->tone, size_.columns);
      }
    } else if (!model_.question().empty()) {
      put(row, 0, " " + model_.question() + " y/n", Tone::kWarn, size_.columns);
    } else if (model_.said()) {
      put(row, 0, " " + model_.said()->text, model_.said()->tone, size_.columns);
    }
    keys(size_.rows - 1);
  }

  // The end of what is typed, if it does not fit.
  void write(std::size_t row) {
    const std::string_view lead = model_.asks_for_task() ? " new task: " : " say: ";
    const auto picture = model_.prompt()->picture(lead, size_.columns - 1);
    put(row, 0, picture.rows[picture.cursor.row], Tone::kPlain, size_.columns);
    screen_.place_cursor(CellPlace{row, std::min(picture.cursor.column, size_.columns - 1)});
  }

  void keys(std::size_t row) {
    struct Hint {
      std::string_view key;
      std::string_view what;
    };
    constexpr std::array<Hint, 14> kHints{{{"q", "quit"},
                                           {"?", "help"},
                                           {"jk", "plan"},
                                           {"Tab", "view"},
                                           {"Enter", "whole"},
                                           {"y/n", "answer"},
                                           {"a", "apply"},
                                           {"p", "say"},
                                           {"+", "new"},
                                           {"e", "edit"},
                                           {"r", "resume"},
                                           {"c", "cancel"},
                                           {"u", "undo"},
                                           {"PgDn", "scroll"}}};
    std::size_t column = 1;
    for (const Hint& hint : kHints) {
      const std::size_t needed = columns(hint.key) + 1 + columns(hint.what);
      if (column + needed > size_.columns) continue;
      column += put(row, column, hint.key, Tone::kStrong, needed) + 1;
      column += put(row, column, hint.what, Tone::kDim, needed) + 2;
    }
  }

  void help() {
    constexpr std::array<std::string_view, 15> kLines{
        "Up Down, j k   another plan",
        "Tab, 1 2 3 4   tree, stream, diff or log of it (l: the log)",
        "PgUp PgDn      scroll; space and b as well",
        "Enter, Escape  show it on the whole screen, and back",
        "y, n           approve or reject what it asks",
        "a              apply what it changed",
        "e              resolve its conflicts in your editor",
        "u              undo what it applied",
        "p              give it further instructions",
        "+              start a new plan",
        "               in its text: @FILE and Tab name files, /COMMAND does what a key does",
        "r              resume it",
        "c              cancel it",
        "q, Ctrl-C      quit; the plans continue",
        "               any key closes this"};
    std::size_t row = 1;
    for (const std::string_view line : kLines) {
      if (row + 1 < size_.rows) put(row++, 1, line, Tone::kPlain, size_.columns - 1);
    }
  }

  const TuiModel& model_;
  CellScreen& screen_;
  const io::TerminalSize size_;
};

}  // namespace

void draw(const TuiModel& model, CellScreen& screen) { Drawing(model, screen).draw(); }

}  // namespace clever::cli
