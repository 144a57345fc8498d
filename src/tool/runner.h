#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "base/thread_pool.h"
#include "git/object_id.h"
#include "model/change.h"
#include "model/message.h"
#include "tool/registry.h"
#include "tool/tool.h"

namespace clever::tool {

namespace internal {
class Call;
class WorkspaceGate;
}  // namespace internal

/// The calls in one answer of a model, and their environment. A value.
struct Turn {
  /// The tools that the model saw.
  std::shared_ptr<const ToolSnapshot> tools;
  /// Null: the tools have no files.
  std::shared_ptr<sandbox::Workspace> workspace{};
  std::vector<model::ToolCall> calls{};
  base::StopToken stop{};
  base::Deadline deadline = base::Deadline::never();
  std::size_t output_limit = CallContext{}.output_limit;
  model::DecisionId decision{};
  /// What its tools use: held until the last of them has returned, even if it was abandoned.
  std::shared_ptr<const void> held{};
};

enum class Outcome : std::uint8_t {
  kAnswered,   // by the tool, successful or not
  kRefused,    // no such tool, or invalid input: nothing ran
  kFailed,     // the tool could not run, or failed
  kTimedOut,   // its deadline passed
  kCancelled,  // the turn was stopped before it completed
};
[[nodiscard]] std::string_view to_string(Outcome outcome) noexcept;

/// The outcome of one call. A value.
struct CallResult {
  std::string id;
  std::string tool;
  Outcome outcome = Outcome::kAnswered;
  /// Always readable for the model: valid UTF-8, within the limit, without known secrets.
  ToolAnswer answer{};
  /// The real changes while it ran, whatever the tool declares.
  std::vector<model::ChangeEntry> changes{};
  /// The workspace before a call that may write: durable, for a rollback.
  std::optional<git::ObjectId> checkpoint{};
  /// It did not end in time and may still run: its workspace is closed to further calls. Continue
  /// in another one, from `checkpoint`.
  bool abandoned = false;
  /// How long the tool ran; zero for one that did not.
  base::Duration took{};
};

/// Runs the tool calls of turns. Owned by the composition root; the destructor asks running calls
/// to stop, and waits for them.
///
/// Each call has its own context, deadline, stop and result slot: no call can see, fill or lose
/// another's. Consecutive read-only calls run in parallel, any other call runs alone, so that the
/// results are the same as for sequential calls; one result per call, in their order. Turns run in
/// parallel; those on one workspace take turns.
///
/// A call past its deadline is asked to stop, gets `grace` to end, and then counts as timed out; if
/// it could write, its workspace is closed, since it may still write. Its thread stays with it
/// until the tool returns: a tool that never does costs one of `threads`, and calls that find no
/// free thread before their deadline count as timed out without having run.
///
/// Thread-safe. run() blocks its caller; do not call it from within a tool.
class ToolRunner {
 public:
  struct Options {
    unsigned threads = 16;
    std::chrono::milliseconds grace{std::chrono::seconds{3}};
    /// Known secrets, which no answer shows; must outlive the runner. Null: answers pass unchanged.
    const base::Secrets* secrets = nullptr;
  };

  ToolRunner(base::Clock& clock, Options options);
  ~ToolRunner();
  ToolRunner(const ToolRunner&) = delete;
  ToolRunner& operator=(const ToolRunner&) = delete;

  [[nodiscard]] std::vector<CallResult> run(const Turn& turn);

 private:
  using Calls = std::vector<std::shared_ptr<internal::Call>>;

  [[nodiscard]] std::shared_ptr<internal::Call> prepare(const Turn& turn,
                                                        const model::ToolCall& call);
  void run_segment(const Turn& turn, const Calls& segment);
  void run_in_workspace(const Turn& turn, const Calls& segment);
  void run_calls(const Turn& turn, const Calls& segment);
  void settle(const Turn& turn, Calls calls);
  void take_answer(internal::Call& call) const;
  void finish(const Turn& turn, internal::Call& call) const;

  // Constant after construction.
  base::Clock& clock_;
  const Options options_;

  std::unique_ptr<internal::WorkspaceGate> gate_;
  base::StopSource closing_;
  // Declared last: its destructor waits for the calls, which use everything above.
  base::ThreadPool pool_;
};

}  // namespace clever::tool
