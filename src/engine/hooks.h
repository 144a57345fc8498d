#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"
#include "model/control_settings.h"
#include "model/message.h"
#include "plan/state.h"
#include "sandbox/workspace.h"
#include "tool/command_world.h"

// Commands that are run when something happens to a plan or its tools. They read one JSON object
// from their standard input:
//
//   {"event": "tool.before", "hook": "guard",
//    "plan": {"id": "…", "title": "…", "phase": "execute", "state": "waiting", "reason": "…"},
//    "call": {"id": "…", "tool": "run_command", "arguments": {…}},
//    "result": {"failed": false, "text": "…"}}
//
// with `call` of tool events and `result` of tool.after. All run confined, with a deadline, and at
// most 64 KiB of what they write is kept. One that cannot be run, is killed or takes too long has
// not come to its end, whatever its exit code.
namespace clever::engine {

/// Runs the command of a hook to its end.
using RunHook = std::function<base::Result<confine::Output>(
    const model::Hook& hook, std::string_view input, const base::StopToken& stop)>;

/// In the plan's workspace, among the files that it works on. Both outlive it. Known secrets are
/// withheld from what hooks write, for models read it; they outlive it as well.
[[nodiscard]] RunHook hooks_in(tool::CommandWorld& commands, sandbox::Workspace& workspace,
                               const base::Secrets* secrets = nullptr);
/// In the project itself, which it cannot change.
[[nodiscard]] RunHook hooks_on(tool::CommandOptions options, base::Clock& clock,
                               const base::Secrets* secrets = nullptr);

/// What a hook of tool.before has against a call: its exit code is 2, and its words are the reason;
/// or it could not be run, or did not come to its end. Empty: nothing. They run one after another,
/// the first objection counts.
[[nodiscard]] std::string objection_to_call(const plan::State& plan, const model::ToolCall& call,
                                            const RunHook& run, const base::StopToken& stop);
/// What hooks of tool.after have to say of it to the model: the words of those whose exit code is
/// 2, and which of them did not come to their end.
[[nodiscard]] std::string remarks_on_call(const plan::State& plan, const model::ToolCall& call,
                                          const std::string& answer, bool failed,
                                          const RunHook& run, const base::StopToken& stop);
/// What a hook of apply.before has against landing: any exit code but 0. Empty: nothing.
[[nodiscard]] std::string objection_to_apply(const plan::State& plan, const RunHook& run,
                                             const base::StopToken& stop);
/// Nothing follows from what they say. Returns sentences for a person about those that failed.
[[nodiscard]] std::vector<std::string> tell_hooks(const plan::State& plan, std::string_view event,
                                                  const RunHook& run, const base::StopToken& stop);

[[nodiscard]] bool has_hooks(const plan::State& plan, std::string_view event) noexcept;

}  // namespace clever::engine
