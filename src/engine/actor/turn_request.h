#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/actor/context_source.h"
#include "model/message.h"
#include "plan/state.h"
#include "provider/request.h"
#include "tool/registry.h"

namespace clever::engine {

/// What one question to the model is made of. A value.
struct TurnParts {
  const plan::State& plan;
  /// The transcript's messages, as the state lists them.
  std::vector<model::Message> transcript{};
  /// All prompts of people, the task first.
  std::vector<model::Message> prompts{};
  AssembledContext context{};
  /// AGENTS.md of the root and of the folders that matter, nearest last; "PATH\n\nTEXT".
  std::vector<ContextFragment> instructions{};
  std::shared_ptr<const tool::ToolSnapshot> tools{};
};

/// The request: system prompt of the phase, instructions, context, task and strategy with what is
/// done and pending (from the state, so that no summary can reopen finished work), then the
/// transcript. In strategize only read-only tools and submit_strategy are offered. A pure function;
/// the same parts make the same request, byte by byte, without ids, times or paths of this machine.
/// What does not fit into limits.overhead_bytes is left out, context first.
[[nodiscard]] provider::ModelRequest turn_request(const TurnParts& parts);

/// The bytes that the text of a request takes beside its transcript.
[[nodiscard]] std::int64_t overhead_bytes(const provider::ModelRequest& request,
                                          const std::vector<model::Message>& transcript);

/// AGENTS.md (or CLAUDE.md where that is missing) of the root and of every folder above the given
/// paths, nearest last; each at most 64 KiB.
[[nodiscard]] base::Result<std::vector<ContextFragment>> instructions_for(
    sandbox::Workspace& workspace, const std::vector<std::string>& paths);

/// Names of files in the workspace that a text mentions, at most `limit`.
[[nodiscard]] base::Result<std::vector<std::string>> mentioned_files(sandbox::Workspace& workspace,
                                                                     std::string_view text,
                                                                     std::size_t limit);

/// What there is without the context module: the list of files (shortened by folders where it is
/// long), and the files that the request names.
class FilesContext final : public ContextSource {
 public:
  base::Result<AssembledContext> assemble(const ContextRequest& request,
                                          const base::StopToken& stop,
                                          base::Deadline deadline) override;
};

}  // namespace clever::engine
