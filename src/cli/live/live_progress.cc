#include "cli/live/live_progress.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/live/progress_block.h"
#include "cli/render.h"
#include "cli/words.h"
#include "service/plan/event_document.h"
#include "service/text.h"

namespace clever::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenFrames{100};
// The mark before a model's text among other lines.
constexpr std::string_view kSaid = "> ";
constexpr std::size_t kRestRows = 3;

}  // namespace

LiveProgress::LiveProgress(Screen screen, base::Clock& clock, const LiveOptions& options)
    : screen_(std::move(screen)),
      clock_(clock),
      mode_(screen_.format == Format::kJsonl                   ? Mode::kEvents
            : screen_.quiet || is_for_programs(screen_.format) ? Mode::kNothing
            : screen_.error_is_terminal && !options.dumb       ? Mode::kBlock
                                                               : Mode::kLines),
      began_(clock.now()),
      notify_(screen_.error_is_terminal ? options.notify : Notify::kOff),
      model_(std::in_place, options.tasks, options.heading),
      markdown_(screen_.error_look.unicode) {
  resume();
}

LiveProgress::~LiveProgress() { pause(); }

void LiveProgress::pause() {
  if (!thread_) return;
  thread_.reset();
  write(false);
}

void LiveProgress::resume() {
  if (mode_ == Mode::kNothing || thread_) return;
  thread_.emplace("progress", [this](const base::StopToken& stop) { run(stop); });
}

void LiveProgress::on_events(const plan::State& state,
                             const std::vector<model::StoredEvent>& events) {
  if (mode_ == Mode::kNothing) return;
  if (mode_ == Mode::kEvents) {
    std::string lines;
    for (const model::StoredEvent& event : events) lines += service::event_line(event);
    return events_.with([&](std::string& all) { all += lines; });
  }
  const base::TimePoint now = clock_.now();
  model_.with([&](ProgressModel& model) { model.on_events(state, events, now); });
  if (notify_ != Notify::kOff) call(state);
}

void LiveProgress::call(const plan::State& state) {
  calls_.with([&](Calls& calls) {
    if (const auto words = calls.attention.on_state(state)) {
      calls.bytes += attention_bytes(notify_, *words);
    }
  });
}

void LiveProgress::on_text(const model::PlanId& plan, const std::string& text, bool reasoning) {
  if (!shows()) return;
  model_.with([&](ProgressModel& model) { model.on_text(plan, text, reasoning); });
}

void LiveProgress::on_restart(const model::PlanId& plan) {
  if (!shows()) return;
  model_.with([&](ProgressModel& model) { model.on_restart(plan); });
}

void LiveProgress::on_wait(const model::PlanId& plan, const engine::WaitNotice& wait) {
  if (!shows()) return;
  model_.with([&](ProgressModel& model) { model.on_wait(plan, wait.sentence); });
}

void LiveProgress::on_tool(const model::PlanId& plan, const std::string& call, bool begins) {
  if (!shows()) return;
  model_.with([&](ProgressModel& model) { model.on_tool(plan, call, begins); });
}

void LiveProgress::on_validation(const model::PlanId& plan, const model::ValidationResult& result) {
  if (!shows()) return;
  model_.with([&](ProgressModel& model) { model.on_validation(plan, result); });
}

void LiveProgress::run(const base::StopToken& stop) {
  while (!stop.stop_requested()) {
    write(true);
    static_cast<void>(tick_.wait(stop, base::Deadline::after(clock_, kBetweenFrames),
                                 [](bool over) { return over; }));
  }
}

void LiveProgress::write(bool with_block) {
  if (mode_ == Mode::kEvents) {
    const std::string lines = events_.with([](std::string& all) { return std::exchange(all, {}); });
    if (!lines.empty()) static_cast<void>(screen_.output(lines).ok());
    return;
  }
  const std::string calls = calls_.with([](Calls& all) { return std::exchange(all.bytes, {}); });
  if (!calls.empty()) static_cast<void>(screen_.error_output(calls).ok());
  const auto words = model_.with([](ProgressModel& model) { return model.take_words(); });
  if (mode_ == Mode::kLines) {
    write_lines(words, !with_block);
  } else {
    write_block(words, with_block);
  }
}

void LiveProgress::write_lines(const std::vector<ProgressWords>& words, bool last) {
  std::string text;
  const auto said = [&text](const std::vector<std::string>& rows) {
    for (const std::string& row : rows) text.append(kSaid).append(row).append("\n");
  };
  for (const ProgressWords& word : words) {
    if (word.kind == ProgressWords::Kind::kText) {
      said(flow_.feed(word.text, 0));
    } else if (word.kind != ProgressWords::Kind::kTool) {
      said(flow_.end());
      text.append(printable(word.text)).append("\n");
    }
  }
  if (last) said(flow_.end());
  if (!text.empty()) static_cast<void>(screen_.error_output(text).ok());
}

// Formats lines of a model's Markdown as rows.
void LiveProgress::add_said(const std::vector<std::string>& lines, std::size_t width,
                            MarkdownLines& markdown, std::vector<std::string>& rows) const {
  for (const std::string& line : lines) {
    for (const Line& row : broken(markdown.line(line), width)) {
      rows.push_back(painted(row, screen_.error_look));
    }
  }
}

// The rows that stay on the terminal.
std::vector<std::string> LiveProgress::rows_of(const std::vector<ProgressWords>& words,
                                               std::size_t width) {
  std::vector<std::string> rows;
  for (const ProgressWords& word : words) {
    if (word.kind == ProgressWords::Kind::kText) {
      add_said(flow_.feed(word.text, 0), width, markdown_, rows);
    } else if (word.kind != ProgressWords::Kind::kDetail) {
      add_said(flow_.end(), width, markdown_, rows);
      for (const std::string& row : wrapped(printable(word.text), width)) {
        rows.push_back(painted(service::shortened(row, width, screen_.error_look.unicode),
                               word.tone, screen_.error_look));
      }
    }
  }
  return rows;
}

std::vector<std::string> LiveProgress::block(const io::TerminalSize& size, std::size_t said) {
  // Reserves a row for the text in progress, and one for the cursor.
  const std::size_t taken = kBlockExtras + std::max<std::size_t>(said, 1) + 1;
  const std::size_t room = size.rows > taken + 1 ? size.rows - taken : 1;
  const base::TimePoint now = clock_.now();
  const ProgressView view =
      model_.with([&](const ProgressModel& model) { return model.view(room, now); });
  const BlockLook look{.width = size.columns,
                       .unicode = screen_.error_look.unicode,
                       .frame = static_cast<std::size_t>((now - began_) / kBetweenFrames)};
  std::vector<std::string> rows;
  for (const Line& line : progress_block(view, look)) {
    rows.push_back(painted(line, screen_.error_look));
  }
  return rows;
}

// The end of the line in progress.
std::vector<std::string> LiveProgress::rest_rows(std::size_t width) const {
  const std::string rest = flow_.rest();
  if (rest.empty()) return {};
  MarkdownLines unended = markdown_;
  std::vector<std::string> rows;
  add_said({rest}, width, unended, rows);
  const std::size_t more = rows.size() - std::min(rows.size(), kRestRows);
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(more));
  return rows;
}

void LiveProgress::write_block(const std::vector<ProgressWords>& words, bool with_block) {
  const io::TerminalSize size = screen_.size();
  const std::size_t width = size.columns > 1 ? size.columns - 1 : 1;
  std::vector<std::string> above = rows_of(words, width);
  std::vector<std::string> rows;
  if (with_block) {
    rows = rest_rows(width);
    for (std::string& row : block(size, rows.size())) rows.push_back(std::move(row));
  } else {
    add_said(flow_.end(), width, markdown_, above);
  }
  const std::string bytes = region_.draw(above, rows);
  if (!bytes.empty()) static_cast<void>(screen_.error_output(bytes).ok());
}

}  // namespace clever::cli
