#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/monitor.h"
#include "base/thread.h"
#include "cli/live/attention.h"
#include "cli/live/progress_model.h"
#include "cli/live/region.h"
#include "cli/live/text_flow.h"
#include "cli/markdown.h"
#include "cli/words.h"
#include "service/live.h"
#include "service/screen.h"

namespace clever::cli {

using service::LiveOptions;

/// Shows what plans do, on standard error: at a terminal a block that is redrawn at most ten times
/// a second, in a pipe plain lines, with --quiet and for programs nothing; with --format jsonl each
/// event is a line on standard output.
///
/// Owned by a command; must outlive the engine that it observes. As an observer it is thread-safe
/// and never blocks on the terminal: its own thread writes. The destructor prints the remaining
/// lines and removes the block. Ignores a terminal that accepts no text.
class LiveProgress final : public service::LiveDisplay {
 public:
  LiveProgress(Screen screen, base::Clock& clock, const LiveOptions& options);
  ~LiveProgress() override;
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override;
  void on_text(const model::PlanId& plan, const std::string& text, bool reasoning) override;
  void on_restart(const model::PlanId& plan) override;
  void on_wait(const model::PlanId& plan, const engine::WaitNotice& wait) override;
  void on_tool(const model::PlanId& plan, const std::string& call, bool begins) override;
  void on_validation(const model::PlanId& plan, const model::ValidationResult& result) override;

  void pause() override;
  void resume() override;

 private:
  enum class Mode : std::uint8_t { kNothing, kLines, kBlock, kEvents };

  [[nodiscard]] bool shows() const { return mode_ == Mode::kLines || mode_ == Mode::kBlock; }
  void run(const base::StopToken& stop);
  void write(bool with_block);
  void call(const plan::State& state);
  void write_lines(const std::vector<ProgressWords>& words, bool last);
  void write_block(const std::vector<ProgressWords>& words, bool with_block);
  [[nodiscard]] std::vector<std::string> rows_of(const std::vector<ProgressWords>& words,
                                                 std::size_t width);
  void add_said(const std::vector<std::string>& lines, std::size_t width, MarkdownLines& markdown,
                std::vector<std::string>& rows) const;
  [[nodiscard]] std::vector<std::string> rest_rows(std::size_t width) const;
  [[nodiscard]] std::vector<std::string> block(const io::TerminalSize& size, std::size_t said);

  // Constant after construction.
  const Screen screen_;
  base::Clock& clock_;
  const Mode mode_;
  const base::TimePoint began_;
  const Notify notify_;
  // Guarded.
  base::Guarded<ProgressModel> model_;
  struct Calls {
    Attention attention{};
    /// Waits to be sent.
    std::string bytes{};
  };
  base::Guarded<Calls> calls_;
  /// For Mode::kEvents: waits to be written.
  base::Guarded<std::string> events_;
  // Never changes: the thread waits on it for its next turn.
  base::Monitor<bool> tick_;
  // Owned by the writing thread; before it starts and after it ends, by the command.
  Region region_;
  TextFlow flow_;
  MarkdownLines markdown_;
  std::optional<base::Thread> thread_;
};

}  // namespace clever::cli
