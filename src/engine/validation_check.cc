#include "engine/validation_check.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "engine/trust.h"
#include "tool/mcp_tools.h"

namespace clever::engine {
namespace {

using model::ValidationResult;

constexpr std::size_t kMostOutput = 4'000;
// The limit for each stream: keeps the beginning and the end.
constexpr std::size_t kCheckOutputLimit = std::size_t{64} << 10U;
constexpr std::size_t kMostPathsNamed = 5;
constexpr std::string_view kLastWords = "; it last wrote:\n";

// Cuts at a whole character, and marks what is missing before it.
std::string ending(std::string_view text, std::size_t most) {
  constexpr std::string_view kMark = "[…]\n";
  if (text.size() <= most) return std::string(text);
  std::size_t begin = text.size() - (most - kMark.size());
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) ++begin;
  return std::string(kMark) + std::string(text.substr(begin));
}

std::string seconds(std::chrono::milliseconds time) {
  if (time.count() % 1000 != 0) return std::to_string(time.count()) + " ms";
  return std::to_string(time.count() / 1000) + " s";
}

// Explains what happened to the files that the validation wrote.
std::string dropped(const sandbox::Workspace::Captured& captured) {
  if (captured.changes.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < captured.changes.size() && i < kMostPathsNamed; ++i) {
    names += (i == 0 ? "" : ", ") + captured.changes[i].path.text();
  }
  if (captured.changes.size() > kMostPathsNamed) {
    names += " and " + std::to_string(captured.changes.size() - kMostPathsNamed) + " more";
  }
  return "(what it wrote was dropped: " + names + ")";
}

std::string outcome_of(const confine::Ending& ending) {
  if (ending.exit_code == 0) return {};
  std::string outcome = "exit code " + std::to_string(ending.exit_code);
  if (!ending.remark.empty()) outcome += ": it " + ending.remark;
  return outcome;
}

ValidationResult could_not_run(ValidationResult result, const base::Error& error) {
  result.outcome = "could not be run: " + base::to_valid_utf8(error.sentence());
  result.ran = false;
  return result;
}

// Says that we ended the command, and adds its last output.
ValidationResult stopped(ValidationResult result, const base::Error& error,
                         std::chrono::milliseconds timeout, std::string_view remark,
                         const base::Secrets* secrets) {
  if (error.code() != base::ErrorCode::kDeadlineExceeded) {
    return could_not_run(std::move(result), error);
  }
  const std::string& message = error.message();
  const std::size_t words = message.find(kLastWords);
  result.outcome = "timed out after " + seconds(timeout);
  result.output =
      shown_output(words == std::string::npos ? "" : message.substr(words + kLastWords.size()), "",
                   remark, secrets);
  return result;
}

ValidationResult run_command(const ValidationWorld& world, const model::Validation& validation,
                             sandbox::Workspace& workspace, ValidationResult result,
                             const base::StopToken& stop) {
  if (world.commands == nullptr) {
    return could_not_run(std::move(result), base::unavailable("commands cannot run here"));
  }
  const auto report = world.commands->run(workspace,
                                          {.argv = validation.argv,
                                           .timeout = validation.timeout,
                                           .output_limit = kCheckOutputLimit,
                                           .chosen_by_person = true},
                                          stop, base::Deadline::never());
  if (!report.ok()) return could_not_run(std::move(result), report.error());
  const std::string remark = dropped(report->captured);
  if (report->failure) {
    return stopped(std::move(result), *report->failure, validation.timeout, remark, world.secrets);
  }
  result.passed = report->output->ending.exit_code == 0;
  result.outcome = outcome_of(report->output->ending);
  result.output =
      shown_output(report->output->output, report->output->error_output, remark, world.secrets);
  return result;
}

bool says_not_passed(const std::string& structured) {
  const auto value = nlohmann::json::parse(structured, nullptr, false);
  return value.is_object() && value.contains("passed") && value["passed"].is_boolean() &&
         !value["passed"].get<bool>();
}

// Earlier versions named MCP tools without "mcp__".
std::string present_name(const tool::ToolSnapshot& tools, const std::string& name) {
  const std::string present = std::string(tool::kMcpPrefix) + name;
  return !tools.tools().contains(name) && tools.tools().contains(present) ? present : name;
}

ValidationResult run_tool(const ValidationWorld& world, const model::Validation& validation,
                          std::shared_ptr<sandbox::Workspace> workspace, ValidationResult result,
                          const base::StopToken& stop) {
  if (world.runner == nullptr || world.tools == nullptr) {
    return could_not_run(std::move(result), base::unavailable("tools cannot be called here"));
  }
  tool::Turn turn;
  turn.tools = world.tools;
  turn.held = world.held;
  turn.workspace = std::move(workspace);
  turn.calls = {{.id = "validation",
                 .name = present_name(*world.tools, validation.tool),
                 .arguments = validation.arguments.empty() ? "{}" : validation.arguments}};
  turn.stop = stop;
  turn.deadline = base::Deadline::after(world.clock, validation.timeout);
  const tool::CallResult called = world.runner->run(turn).at(0);
  const std::string remark = called.changes.empty() ? "" : "(what it wrote was dropped)";
  result.output = shown_output(called.answer.text, "", remark, world.secrets);
  switch (called.outcome) {
    case tool::Outcome::kAnswered:
      result.passed = !called.answer.failed && !says_not_passed(called.answer.structured);
      if (!result.passed) result.outcome = "the tool says that it failed";
      break;
    case tool::Outcome::kTimedOut:
      result.outcome = "timed out after " + seconds(validation.timeout);
      break;
    default:
      result.outcome = "could not be run: " + result.output;
      result.ran = false;
      break;
  }
  return result;
}

}  // namespace

model::ValidationResult not_trusted(const model::Validation& validation) {
  return {.name = validation.name,
          .required = validation.required,
          .ran = false,
          .outcome = "it is not trusted: `agents trust` shows it"};
}

bool is_trusted(const model::Validation& validation, const std::filesystem::path& project,
                const std::filesystem::path& home) {
  if (validation.untrusted.empty()) return true;
  const auto store = TrustStore::open(home);
  if (!store.ok()) return false;
  const auto& words = validation.untrusted;
  return store->trusts(project, {{.kind = "validation",
                                  .name = words.front(),
                                  .argv = {std::next(words.begin()), words.end()}}});
}

model::ValidationResult check_work(const ValidationWorld& world,
                                   const model::Validation& validation,
                                   const base::StopToken& stop) {
  ValidationResult result{.name = validation.name, .required = validation.required};
  const base::TimePoint began = world.clock.now();
  auto workspace = world.copy();
  if (!workspace.ok()) {
    result = could_not_run(std::move(result), workspace.error());
  } else if (validation.tool.empty()) {
    result = run_command(world, validation, **workspace, std::move(result), stop);
  } else {
    result = run_tool(world, validation, *workspace, std::move(result), stop);
  }
  if (world.secrets != nullptr) result.outcome = world.secrets->withhold(result.outcome);
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(world.clock.now() - began);
  return result;
}

std::string shown_output(std::string_view output, std::string_view error_output,
                         std::string_view remark, const base::Secrets* secrets) {
  const auto shown = [secrets](std::string_view text) {
    const std::string valid = base::to_valid_utf8(text);
    return secrets == nullptr ? valid : secrets->withhold(valid);
  };
  std::string first = shown(output);
  std::string second = shown(error_output);
  if (!first.empty() && !second.empty() && !first.ends_with('\n')) first += '\n';
  if (!remark.empty() && !(first + second).empty() && !(first + second).ends_with('\n')) {
    (second.empty() ? first : second) += '\n';
  }
  const std::string last = ending(remark, kMostOutput / 4);
  const std::size_t room = kMostOutput - last.size();
  const std::size_t of_second =
      std::min(second.size(), std::max(room / 2, room - std::min(room, first.size())));
  return ending(first, room - of_second) + ending(second, of_second) + last;
}

}  // namespace clever::engine
