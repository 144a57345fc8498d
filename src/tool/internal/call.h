#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "tool/registry.h"
#include "tool/runner.h"
#include "tool/tool.h"

namespace clever::tool::internal {

/// One tool call with its own context, deadline, stop and result slot. Shared by the runner and the
/// thread that runs it, so that it outlives both.
///
/// The tool's thread touches only the slot.
class Call {
 public:
  Call(const Turn& turn, const model::ToolCall& call, const base::Clock& clock,
       const base::StopToken& closing, const base::Secrets* secrets);

  /// Runs the tool, unless the call was abandoned before; fills the slot. On a thread of the pool.
  /// Never throws.
  void run();
  void request_stop() { stop_.request_stop(); }

  /// Waits until the slot is filled.
  base::Result<void> wait(const base::StopToken& stop, base::Deadline deadline);
  /// The content of the slot; nothing if it will never be filled. A tool that had begun may still
  /// be running.
  struct Ended {
    std::optional<base::Result<ToolAnswer>> answer{};
    bool running = false;
    /// Since the tool began.
    base::Duration took{};
  };
  [[nodiscard]] Ended give_up();

  [[nodiscard]] bool is_refused() const { return tool_ == nullptr; }
  /// Whether it may run in parallel with others.
  [[nodiscard]] bool is_read_only() const;
  [[nodiscard]] const RegisteredTool& tool() const { return *tool_; }
  [[nodiscard]] base::Deadline deadline() const { return context_.deadline; }

  void accept(std::shared_ptr<const RegisteredTool> tool, std::string input);
  /// Call before it runs.
  void limit(base::Deadline deadline) { context_.deadline = deadline; }

  // The runner's, on the thread of the turn.
  CallResult result;
  std::optional<base::Error> late;

 private:
  struct Slot {
    bool begun = false;
    bool given_up = false;
    std::optional<base::Result<ToolAnswer>> answer{};
    base::TimePoint began{};
    base::TimePoint ended{};
  };
  [[nodiscard]] base::Result<ToolAnswer> answer() const;

  // Constant once it runs.
  const base::Clock& clock_;
  const std::shared_ptr<const void> held_;
  std::shared_ptr<const RegisteredTool> tool_;
  std::string input_;
  CallContext context_;

  base::StopSource stop_;
  base::StopCallback on_closing_;
  base::Monitor<Slot> slot_;
};

}  // namespace clever::tool::internal
