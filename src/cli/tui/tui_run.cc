#include "cli/tui/tui_run.h"

#include <chrono>
#include <set>
#include <utility>

#include "cli/tui/cell_screen.h"
#include "cli/tui/event_box.h"
#include "cli/tui/key_decoder.h"
#include "cli/tui/tui_actions.h"
#include "cli/tui/tui_model.h"
#include "cli/tui/tui_source.h"
#include "cli/tui/tui_view.h"
#include "io/file.h"
#include "service/plan/edit_conflicts.h"

namespace clever::cli {
namespace {

bool replaces(const TuiEvent& newer, const TuiEvent& older) {
  return newer.index() == older.index() &&
         (std::holds_alternative<TuiPlans>(newer) || std::holds_alternative<TuiDetail>(newer));
}

class Tui {
 public:
  Tui(const service::PlanDatabase& database, io::OwnedTerminal& terminal, const TuiOptions& options,
      Context& context)
      : database_(database),
        terminal_(terminal),
        options_(options),
        context_(context),
        model_(terminal.size(), options.project.empty() ? "all folders" : options.project,
               options.unicode),
        screen_(terminal.size(), options.theme),
        news_([&terminal] { terminal.wake(); }, replaces),
        actions_(database, options.answers, options.here, context,
                 [this](TuiEvent event) { news_.post(std::move(event)); }),
        source_(database, options.project, context,
                [this](TuiEvent event) { news_.post(std::move(event)); }) {}

  base::Result<void> run() {
    const base::StopToken stop = context_.stop();
    const base::StopCallback on_stop(stop, [this] { terminal_.wake(); });
    while (!over_ && !stop.stop_requested()) {
      CLEVER_TRY(show());
      CLEVER_TRY(wait());
    }
    return {};
  }

  [[nodiscard]] std::vector<model::PlanId> close() { return actions_.close(); }

 private:
  base::Result<void> show() {
    draw(model_, screen_);
    const std::string bytes = std::exchange(attention_, {}) + screen_.flush();
    return bytes.empty() ? base::Result<void>() : terminal_.write(bytes);
  }

  base::Result<void> wait() {
    const auto patience =
        decoder_.is_pending() ? std::optional(KeyDecoder::kPatience) : std::nullopt;
    CLEVER_ASSIGN(const io::TerminalInput input, terminal_.wait(patience));
    over_ = input.ended;
    if (input.resized) resize();
    const bool nothing = input.bytes.empty() && !input.resized && !input.woken;
    for (const Key& key : nothing ? decoder_.flush() : decoder_.feed(input.bytes)) update(key);
    for (const TuiEvent& event : news_.take()) update(event);
    return {};
  }

  void resize() {
    const io::TerminalSize size = terminal_.size();
    screen_.resize(size);
    update(TuiResized{size});
  }

  void update(const TuiEvent& event) {
    for (TuiWish& wish : model_.update(event)) fulfil(std::move(wish));
    if (std::holds_alternative<TuiPlans>(event)) call_attention();
  }

  void fulfil(TuiWish wish) {
    if (wish.kind == TuiWish::Kind::kQuit) {
      over_ = true;
    } else if (wish.kind == TuiWish::Kind::kEdit) {
      edit(wish.plan);
    } else if (wish.kind == TuiWish::Kind::kLook) {
      source_.look(wish.plan, model_.pane());
    } else {
      actions_.order(std::move(wish));
    }
  }

  // The editor has the terminal meanwhile.
  void edit(const model::PlanId& plan) {
    const auto edited = edited_conflicts(plan);
    screen_.resize(terminal_.size());
    update(edited.ok() ? TuiSaid{*edited, Tone::kGood}
                       : TuiSaid{edited.error().sentence(), Tone::kBad});
  }

  base::Result<std::string> edited_conflicts(const model::PlanId& plan) {
    CLEVER_ASSIGN(const auto summary, database_.find(plan.to_string()));
    CLEVER_ASSIGN(const auto meant, service::meant_plan(database_, summary));
    CLEVER_ASSIGN(
        const auto resolved,
        service::resolve_by_hand(meant, context_, [this](const io::ForegroundProgram& editor) {
          // A terminal at a client runs no programs, but its screen opens the editor there.
          auto code = terminal_.run(editor.argv, context_.directory());
          const Screen screen = context_.screen();
          const bool is_away = !code.ok() && code.error().code() == base::ErrorCode::kUnavailable;
          return is_away && screen.foreground ? screen.foreground(editor) : std::move(code);
        }));
    return resolved.sentence;
  }

  // Skips plans that needed a person before the view opened.
  void call_attention() {
    std::set<model::PlanId> needing;
    for (const TuiPlan& plan : model_.plans()) {
      if (urgency_of(plan) != 0) continue;
      needing.insert(plan.id);
      if (knows_ && !needing_.contains(plan.id)) {
        attention_ += attention_bytes(options_.notify, plan.title + " needs you");
      }
    }
    needing_ = std::move(needing);
    knows_ = true;
  }

  const service::PlanDatabase& database_;
  io::OwnedTerminal& terminal_;
  const TuiOptions& options_;
  Context& context_;
  TuiModel model_;
  CellScreen screen_;
  KeyDecoder decoder_;
  bool over_ = false;
  bool knows_ = false;
  std::set<model::PlanId> needing_;
  std::string attention_;
  EventBox<TuiEvent> news_;
  // Their threads use what is above.
  TuiActions actions_;
  TuiSource source_;
};

base::Result<void> leave_to_background(const std::vector<model::PlanId>& plans, Context& context) {
  if (plans.empty()) return {};
  const std::filesystem::path folder = context.home() / "logs";
  CLEVER_TRY(io::make_directories(folder));
  for (const model::PlanId& plan : plans) {
    const std::string id = plan.to_string();
    CLEVER_TRY(
        context.start_in_background({"plan", "drive", id}, folder / ("plan-" + id + ".log")));
  }
  return {};
}

}  // namespace

base::Result<void> run_tui(const service::PlanDatabase& database, io::OwnedTerminal& terminal,
                           const TuiOptions& options, Context& context) {
  std::vector<model::PlanId> left;
  {
    Tui tui(database, terminal, options, context);
    CLEVER_TRY(tui.run());
    left = tui.close();
  }
  return leave_to_background(left, context);
}

}  // namespace clever::cli
