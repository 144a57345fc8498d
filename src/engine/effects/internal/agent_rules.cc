#include "engine/effects/internal/agent_rules.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "engine/permission_rules.h"
#include "tool/tool.h"

namespace clever::engine::internal {
namespace {

void add_paragraphs(std::string& words, const model::Message& message) {
  for (const model::Part& part : message.parts) {
    const auto* text = std::get_if<model::Text>(&part);
    if (text != nullptr && !text->text.empty()) {
      words += (words.empty() ? "" : "\n\n") + text->text;
    }
  }
}

// The tool of ours that does the same.
std::string_view tool_for(std::string_view kind) {
  if (kind == "execute") return "run_command";
  if (kind == "edit") return "write_file";
  if (kind == "delete") return "delete_file";
  if (kind == "move") return "move_file";
  if (kind == "read") return "read_file";
  if (kind == "search") return "search";
  return {};
}

std::vector<model::ToolCall> calls_for(std::string_view tool, const AcpAsk& ask) {
  std::vector<model::ToolCall> calls;
  const auto add = [&](const char* key, const std::string& value) {
    const nlohmann::json arguments{{key, base::to_valid_utf8(value)}};
    calls.push_back({.name = std::string(tool), .arguments = arguments.dump()});
  };
  if (tool == "run_command") {
    add("command", ask.command.empty() ? ask.title : ask.command);
  } else if (ask.paths.empty()) {
    add("path", ".");
  }
  for (const std::string& path : ask.paths) add("path", path);
  return calls;
}

}  // namespace

std::string agent_task(const plan::State& plan, const std::string& step,
                       const std::vector<Messages::Loaded>& prompts) {
  std::string whole;
  for (const auto& prompt : prompts) add_paragraphs(whole, *prompt);
  const auto found = std::ranges::find(
      plan.steps, step, [](const plan::Step& each) -> auto& { return each.definition.id; });
  std::string text = whole;
  if (found != plan.steps.end() && !plan.settings.direct) {
    text = found->definition.title;
    if (!found->definition.detail.empty()) text += "\n\n" + found->definition.detail;
    text +=
        "\n\nThis is one step of a larger task; do this step and nothing else.\n\nThe whole "
        "task, for background:\n\n" +
        whole;
  }
  if (const std::string& done = plan.settings.definition_of_done; !done.empty()) {
    text += "\n\nIt is done when: " + done;
  }
  const auto& invariants = plan.settings.control.invariants;
  if (!invariants.empty()) text += "\n\nWhat must hold at all times:";
  for (const model::Invariant& invariant : invariants) text += "\n- " + invariant.text;
  return text;
}

bool is_allowed(const plan::State& plan, const Actor& actor, const AcpAsk& ask) {
  if (ask.kind == "fetch" && !actor.program.network) return false;
  const std::string_view tool = tool_for(ask.kind);
  if (tool.empty()) return true;
  // What is confined and reviewed before it lands needs no consent of its own: rules alone count.
  const tool::ToolSpec spec{.name = std::string(tool), .capabilities = {.read_only = true}};
  return std::ranges::all_of(calls_for(tool, ask), [&](const model::ToolCall& call) {
    return verdict_of(plan, call, &spec).verdict == model::Verdict::kAllow;
  });
}

}  // namespace clever::engine::internal
