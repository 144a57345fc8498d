#include <chrono>

#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/command_text.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

constexpr std::chrono::seconds kUsualTimeout{120};
constexpr std::chrono::seconds kLongestTimeout{3600};

// Time for capturing the command's changes, after its own time is up.
constexpr std::chrono::seconds kCapture{60};

base::Result<ToolAnswer> run_command(CommandWorld& commands, sandbox::Workspace& workspace,
                                     const internal::ToolInput& input, const CallContext& context) {
  const std::chrono::seconds timeout(input.integer("timeout_s").value_or(kUsualTimeout.count()));
  auto report = commands.run(workspace,
                             {.argv = {"sh", "-c", input.text("command")},
                              .working_directory = input.text("cwd"),
                              .timeout = timeout},
                             context.stop, context.deadline);
  if (report.ok())
    return internal::describe_command(*report, context.output_limit, context.secrets);
  if (report.error().code() != base::ErrorCode::kUnavailable) return std::move(report).error();
  return ToolAnswer{.text = "the command was not run: " + report.error().sentence(),
                    .failed = true};
}

}  // namespace

std::shared_ptr<Tool> run_command_tool(std::shared_ptr<CommandWorld> commands) {
  return internal::make_tool(
      {.name = "run_command",
       .description =
           "Runs a shell command (sh -c) in the project and answers with its exit code, what it "
           "wrote and which files it changed. It is confined: nothing outside the project can be "
           "changed, the network may be off, and nothing keeps running after it ends. Do not wait "
           "for input: there is none.",
       .input_schema = internal::object_schema(
           R"("command":{"type":"string","minLength":1,"description":"For sh -c."},)"
           R"("timeout_s":{"type":"integer","minimum":1,"maximum":3600,"description":)"
           R"("Seconds until it is ended; usually 120."},)"
           R"("cwd":{"type":"string","description":"Folder to run in, from the project's root."})",
           R"("command")"),
       .capabilities = {.writes = true},
       .timeout = kLongestTimeout + kCapture},
      [commands = std::move(commands)](sandbox::Workspace& workspace,
                                       const internal::ToolInput& input,
                                       const CallContext& context) {
        return run_command(*commands, workspace, input, context);
      });
}

}  // namespace clever::tool
