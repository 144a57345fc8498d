#include "engine/hooks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/utf8.h"
#include "confine/world.h"
#include "engine/permission_rules.h"

namespace clever::engine {
namespace {

using nlohmann::json;

constexpr std::size_t kHookOutputLimit = std::size_t{64} << 10U;
constexpr std::size_t kLongestWords = 2'000;
constexpr std::size_t kLongestResult = std::size_t{32} << 10U;
constexpr int kBlocks = 2;
// The shell's exit codes: not executable, not found.
constexpr int kMayNotBeRun = 126;
constexpr int kNoSuchProgram = 127;

std::string to_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

json hook_input(const plan::State& plan, const model::Hook& hook) {
  return {{"event", hook.event},
          {"hook", hook.name},
          {"plan",
           {{"id", plan.id.to_string()},
            {"title", plan.title},
            {"phase", to_string(plan.phase)},
            {"state", to_string(plan.state)},
            {"reason", plan.reason}}}};
}

json hook_input(const model::ToolCall& call) {
  json arguments = json::parse(call.arguments, nullptr, /*allow_exceptions=*/false);
  if (arguments.is_discarded()) arguments = call.arguments;
  return {{"id", call.id}, {"tool", call.name}, {"arguments", std::move(arguments)}};
}

std::string shortened(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  std::string clean = base::to_valid_utf8(text.substr(0, end + 1));
  if (clean.size() <= kLongestWords) return clean;
  return std::string(base::utf8_prefix(clean, kLongestWords)) + "…";
}

std::string output_words(const confine::Output& output) {
  std::string words = shortened(output.error_output);
  if (!words.empty()) return words;
  const std::string other = shortened(output.output);
  return other.empty() ? "exit code " + std::to_string(output.ending.exit_code) : other;
}

std::string killed(const confine::Ending& ending) {
  return ending.remark.empty() ? "signal " + std::to_string(*ending.signal) : ending.remark;
}

// Returns why a hook gave no answer; empty if it gave one.
std::string not_ended(const model::Hook& hook, const base::Result<confine::Output>& output) {
  const std::string sentence = "the hook " + hook.name + " did not finish: ";
  if (!output.ok()) return sentence + shortened(output.error().sentence());
  if (output->ending.signal) return sentence + killed(output->ending);
  const int code = output->ending.exit_code;
  if (code != kMayNotBeRun && code != kNoSuchProgram) return {};
  return "the hook " + hook.name + " cannot be run: " + output_words(*output);
}

// A rule that cannot be parsed matches everything: a person wrote it for a reason.
bool is_about(const model::Hook& hook, const model::ToolCall& call, const plan::State& plan) {
  if (hook.match.empty()) return true;
  const auto pattern = model::parse_permission(hook.match);
  return !pattern.ok() || concerns(*pattern, call, plan.project) != Fit::kNo;
}

base::Result<confine::Output> without_secrets(base::Result<confine::Output> output,
                                              const base::Secrets* secrets) {
  if (secrets == nullptr || !output.ok()) return output;
  output->output = secrets->withhold(output->output);
  output->error_output = secrets->withhold(output->error_output);
  return output;
}

template <class Use>
void each_hook(const plan::State& plan, std::string_view event, const Use& use) {
  for (const model::Hook& hook : plan.settings.control.hooks) {
    if (hook.event == event && !hook.argv.empty() && !use(hook)) return;
  }
}

}  // namespace

RunHook hooks_in(tool::CommandWorld& commands, sandbox::Workspace& workspace,
                 const base::Secrets* secrets) {
  return [&commands, &workspace, secrets](
             const model::Hook& hook, std::string_view input,
             const base::StopToken& stop) -> base::Result<confine::Output> {
    CLEVER_ASSIGN(tool::CommandReport report, commands.run(workspace,
                                                           {.argv = hook.argv,
                                                            .standard_input = std::string(input),
                                                            .timeout = hook.timeout,
                                                            .output_limit = kHookOutputLimit,
                                                            .chosen_by_person = true},
                                                           stop, base::Deadline::never()));
    if (report.output) return without_secrets(*std::move(report.output), secrets);
    return report.failure.value_or(base::internal_error("it gave no reason"));
  };
}

RunHook hooks_on(tool::CommandOptions options, base::Clock& clock, const base::Secrets* secrets) {
  confine::Command command{.argv = {},
                           .working_directory = options.project_root,
                           .environment = confine::clean_environment(options.world),
                           .mounts = confine::cache_mounts(options.world),
                           .hidden = {},
                           .limits = options.limits,
                           .network = options.network,
                           .hosts = options.hosts,
                           .chosen_by_person = true,
                           .unconfined = options.unconfined};
  if (!options.world.own_home.empty()) command.hidden.push_back(options.world.own_home);
  command.mounts.push_back({.kind = confine::Mount::Kind::kReadOnly,
                            .target = options.project_root,
                            .source = options.project_root});
  return [command = std::move(command), launcher = std::move(options.launcher),
          run = std::move(options.run), &clock,
          secrets](const model::Hook& hook, std::string_view input, const base::StopToken& stop) {
    confine::Command one = command;
    one.argv = hook.argv;
    const base::Deadline deadline = base::Deadline::after(clock, hook.timeout);
    return without_secrets(
        run ? run(one, input, kHookOutputLimit, stop, deadline)
            : confine::run(launcher, one, input, kHookOutputLimit, stop, deadline),
        secrets);
  };
}

std::string objection_to_call(const plan::State& plan, const model::ToolCall& call,
                              const RunHook& run, const base::StopToken& stop) {
  std::string objection;
  each_hook(plan, "tool.before", [&](const model::Hook& hook) {
    if (!is_about(hook, call, plan)) return true;
    json input = hook_input(plan, hook);
    input["call"] = hook_input(call);
    const auto output = run(hook, to_text(input), stop);
    objection = not_ended(hook, output);
    if (objection.empty() && output->ending.exit_code == kBlocks) {
      objection = "the hook " + hook.name + " blocked it: " + output_words(*output);
    }
    return objection.empty();
  });
  return objection;
}

std::string remarks_on_call(const plan::State& plan, const model::ToolCall& call,
                            const std::string& answer, bool failed, const RunHook& run,
                            const base::StopToken& stop) {
  std::string remarks;
  each_hook(plan, "tool.after", [&](const model::Hook& hook) {
    if (!is_about(hook, call, plan)) return true;
    json input = hook_input(plan, hook);
    input["call"] = hook_input(call);
    input["result"] = {
        {"failed", failed},
        {"text", std::string(base::utf8_prefix(base::to_valid_utf8(answer), kLongestResult))}};
    const auto output = run(hook, to_text(input), stop);
    if (const std::string trouble = not_ended(hook, output); !trouble.empty()) {
      remarks += "\n" + trouble;
    } else if (output->ending.exit_code == kBlocks) {
      remarks += "\nThe hook " + hook.name + " says: " + output_words(*output);
    }
    return true;
  });
  return remarks;
}

std::string objection_to_apply(const plan::State& plan, const RunHook& run,
                               const base::StopToken& stop) {
  std::string objection;
  each_hook(plan, "apply.before", [&](const model::Hook& hook) {
    const auto output = run(hook, to_text(hook_input(plan, hook)), stop);
    objection = not_ended(hook, output);
    if (objection.empty() && output->ending.exit_code != 0) {
      objection = "the hook " + hook.name + " blocks the apply: " + output_words(*output);
    }
    return objection.empty();
  });
  return objection;
}

std::vector<std::string> tell_hooks(const plan::State& plan, std::string_view event,
                                    const RunHook& run, const base::StopToken& stop) {
  std::vector<std::string> troubles;
  each_hook(plan, event, [&](const model::Hook& hook) {
    const auto output = run(hook, to_text(hook_input(plan, hook)), stop);
    std::string trouble = not_ended(hook, output);
    if (trouble.empty() && output->ending.exit_code != 0) {
      trouble = "the hook " + hook.name + " failed: " + output_words(*output);
    }
    if (!trouble.empty()) troubles.push_back(hook.event + ": " + trouble);
    return true;
  });
  return troubles;
}

bool has_hooks(const plan::State& plan, std::string_view event) noexcept {
  return std::ranges::any_of(plan.settings.control.hooks,
                             [&](const model::Hook& hook) { return hook.event == event; });
}

}  // namespace clever::engine
