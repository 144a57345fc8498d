#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "engine/actor/context_source.h"
#include "model/message.h"
#include "plan/state.h"
#include "provider/request.h"
#include "sandbox/workspace.h"
#include "tool/registry.h"

namespace clever::engine {

/// What one question to the model is made of. A value.
struct TurnParts {
  const plan::State& plan;
  /// The transcript's messages, as the state lists them.
  provider::Conversation transcript{};
  /// All prompts of people, the task first.
  std::vector<model::Message> prompts{};
  AssembledContext context{};
  /// AGENTS.md of the root and of the folders that matter, nearest last: instructions_for().
  std::vector<ContextFragment> instructions{};
  /// All tools; offered_tools() selects those that a model sees.
  std::shared_ptr<const tool::ToolSnapshot> tools{};
  /// Actor::system of the plan's actor.
  std::string actor_system{};
  /// The skills that use_skill knows, a line each; empty: none.
  std::string skills{};
  /// Where a budget allows less than the model and the plan's limits do; 0: it does not.
  std::int64_t max_output = 0;
  std::int64_t overhead_bytes = 0;
};

/// The tool by which a model hands in its strategy; no tool of the registry, the engine's own.
inline constexpr std::string_view kSubmitStrategy = "submit_strategy";
/// The tool by which a model asks the person; the engine's own, too.
inline constexpr std::string_view kAsk = "ask";

/// What the plan's model may call, beside ask and submit_strategy: in strategize, and where the
/// plan is read_only, what only reads. Give the same to tool::Turn, so that a call of anything else
/// is refused.
[[nodiscard]] std::shared_ptr<const tool::ToolSnapshot> offered_tools(
    const plan::State& plan, const std::shared_ptr<const tool::ToolSnapshot>& all);

/// The request: system prompt of the phase with the instructions; context, task and strategy with
/// what is done and pending (from the state, so that no summary can reopen finished work); then the
/// transcript. What changes least comes first, so that prompt caches keep what was sent before. A
/// prompt that is in the transcript is not repeated before it.
///
/// In strategize only read-only tools, ask and submit_strategy are offered. A pure function; the
/// same parts make the same request, byte by byte, without ids, times or paths of this machine.
///
/// What it adds to the transcript never exceeds limits.overhead_bytes (but for the prompt of the
/// phase itself, some 4 KiB), nor half of what the model's window has for questions (at least 16
/// KiB). What does not fit is left out: context first, then
/// instructions (the farthest first), the strategy, guidance, tools that are not built in; the task
/// is cut in its middle.
[[nodiscard]] provider::ModelRequest turn_request(TurnParts parts);

/// The bytes that the text of a request takes beside its transcript.
[[nodiscard]] std::int64_t overhead_bytes(const provider::ModelRequest& request,
                                          const provider::Conversation& transcript);

/// AGENTS.md (or CLAUDE.md where that is missing) of the root and of every folder above the given
/// paths, nearest last; each at most 64 KiB, at most 32 of them. As they were when the work began:
/// a plan does not instruct itself. Fields: path, text, why (where it applies).
[[nodiscard]] base::Result<std::vector<ContextFragment>> instructions_for(
    sandbox::Workspace& workspace, const std::vector<std::string>& paths);

/// What there is without the context module: the list of files (folders with their counts where it
/// is long), and the files that the request names, whole or cut with a mark. All as they were when
/// the work began: what is done since is in the conversation, and the same context every turn is
/// what prompt caches need.
///
/// Thread-safe. Costs one walk over the names of the base per tree and a look at the named files;
/// what was assembled is kept for the turns that follow.
class FilesContext final : public ContextSource {
 public:
  FilesContext();
  ~FilesContext() override;

  base::Result<AssembledContext> assemble(const ContextRequest& request,
                                          const base::StopToken& stop,
                                          base::Deadline deadline) override;

 private:
  struct Memory;
  const std::unique_ptr<Memory> memory_;
};

}  // namespace clever::engine
