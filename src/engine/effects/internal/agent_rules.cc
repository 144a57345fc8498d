#include "engine/effects/internal/agent_rules.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "engine/permission_rules.h"
#include "tool/tool.h"

namespace clever::engine::internal {
namespace {

// A step that was added for what a person said (plan: prompt.cc).
constexpr std::string_view kPromptStep = "prompt-";

auto find_step(const plan::State& plan, const std::string& step) {
  return std::ranges::find(plan.steps, step,
                           [](const plan::Step& each) -> auto& { return each.definition.id; });
}

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
                       const std::vector<Messages::Loaded>& prompts,
                       const std::vector<Messages::Loaded>& guidance) {
  std::string whole;
  for (const auto& prompt : prompts) add_paragraphs(whole, *prompt);
  const auto found = find_step(plan, step);
  std::string text = whole;
  const bool is_whole = found == plan.steps.end() || step.starts_with(kPromptStep) ||
                        (plan.settings.direct && found->definition.detail.empty());
  if (!is_whole) {
    text = found->definition.title;
    if (!found->definition.detail.empty()) text += "\n\n" + found->definition.detail;
    text +=
        "\n\nThis is one step of a larger task; do this step and nothing else.\n\nThe whole "
        "task, for background:\n\n" +
        whole;
  }
  for (const auto& words : guidance) add_paragraphs(text, *words);
  if (const std::string& done = plan.settings.definition_of_done; !done.empty()) {
    text += "\n\nIt is done when: " + done;
  }
  const auto& invariants = plan.settings.control.invariants;
  if (!invariants.empty()) text += "\n\nWhat must hold at all times:";
  for (const model::Invariant& invariant : invariants) text += "\n- " + invariant.text;
  return text;
}

std::string agent_follow_up(const plan::State& plan, const std::string& step,
                            const std::vector<Messages::Loaded>& prompts,
                            const std::vector<Messages::Loaded>& guidance,
                            const AgentSession& session) {
  std::vector<Messages::Loaded> all = prompts;
  all.insert(all.end(), guidance.begin(), guidance.end());
  std::string text;
  const auto heard = static_cast<std::size_t>(std::max<std::int64_t>(session.prompts, 0));
  for (std::size_t i = heard; i < all.size(); ++i) add_paragraphs(text, *all[i]);
  const bool is_cut_off = session.tree.empty();
  const std::string& left = is_cut_off ? session.base : session.tree;
  if (session.step != step && text.empty()) text = agent_task(plan, step, prompts, guidance);
  if (text.empty()) {
    text =
        "You were interrupted. Go on where you stopped; what you had done is still there, so do "
        "not do it again.";
  } else if (is_cut_off) {
    text = "You were interrupted before you were done. Go on, with this in mind:\n\n" + text;
  }
  if (left != plan.tree) {
    text += "\n\nThe files are not as you left them: look at them before you change them.";
  }
  return text;
}

std::vector<base::Sha256Digest> guidance_for(const plan::State& plan, const std::string& step) {
  std::vector<base::Sha256Digest> bodies;
  const auto found = find_step(plan, step);
  if (found == plan.steps.end()) return bodies;
  for (const plan::Guidance& words : found->guidance) bodies.push_back(words.body);
  return bodies;
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
