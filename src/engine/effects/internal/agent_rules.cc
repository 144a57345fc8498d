#include "engine/effects/internal/agent_rules.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/sha256.h"
#include "base/utf8.h"
#include "engine/permission_rules.h"
#include "model/automation.h"
#include "model/permission_pattern.h"
#include "model/strategy.h"
#include "tool/tool.h"

namespace clever::engine::internal {
namespace {

// Prefix of a step that a prompt added (plan: prompt.cc).
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

// Returns our tools that do the same as this kind of call.
std::vector<std::string> tools_for(std::string_view kind) {
  if (kind == "execute") return {"run_command"};
  if (kind == "edit") return {"write_file", "edit_file"};
  if (kind == "delete") return {"delete_file"};
  if (kind == "move") return {"move_file"};
  if (kind == "read") return {"read_file"};
  if (kind == "search") return {"search"};
  return {};
}

bool names_one(const std::vector<std::string>& patterns, const std::string& tool) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& each) { return names_tool(each, tool); });
}

/// Judges what an agent asks for by the plan's rules.
class AskJudge {
 public:
  AskJudge(const plan::State& plan, const Actor& actor, const AcpAsk& ask)
      : plan_(plan), control_(plan.settings.control), actor_(actor), ask_(ask) {}

  AcpVerdict verdict() const {
    if (!ask_.outside.empty()) return deny(ask_.outside + " lies outside of the project");
    if (!ask_.tool.empty()) return by_tool(ask_.tool, {{.arguments = ask_.input}}, !ask_.is_long);
    if (ask_.kinds.empty()) return unknown("it does not say what kind of call it is");
    AcpVerdict all;
    for (const std::string& kind : ask_.kinds) {
      AcpVerdict one = by_kind(kind);
      if (one.verdict == model::Verdict::kDeny) return one;
      if (one.verdict == model::Verdict::kAsk) all = std::move(one);
    }
    return all;
  }

 private:
  static AcpVerdict deny(std::string why) { return {model::Verdict::kDeny, std::move(why)}; }

  AcpVerdict by_kind(const std::string& kind) const {
    if (kind == "think") return {};
    if (kind == "fetch" && !actor_.program.network) {
      return deny("it would fetch from the network, which its actor does not allow");
    }
    std::vector<std::string> tools = tools_for(kind);
    if (tools.empty()) return unknown("no rule can name a call of the kind " + kind);
    // If several tools do the same, one allowed tool is enough.
    const auto& allowed = control_.guards.allowed_tools;
    const auto is_named = [&](const std::string& tool) { return names_one(allowed, tool); };
    if (std::ranges::any_of(tools, is_named)) std::erase_if(tools, std::not_fn(is_named));
    AcpVerdict all;
    for (const std::string& tool : tools) {
      AcpVerdict one = by_tool(tool, calls_of(tool), says_enough(tool));
      if (one.verdict == model::Verdict::kDeny) return one;
      if (one.verdict == model::Verdict::kAsk) all = std::move(one);
    }
    return all;
  }

  // Returns true if the call has the arguments that rules compare.
  bool says_enough(const std::string& tool) const {
    if (ask_.is_too_large) return false;
    if (tool == "run_command") return !ask_.commands.empty();
    return tool == "search" || !ask_.paths.empty();
  }

  std::vector<model::ToolCall> calls_of(const std::string& tool) const {
    std::vector<model::ToolCall> calls;
    const auto add = [&](const char* key, const std::string& value) {
      const nlohmann::json arguments{{key, base::to_valid_utf8(value)}};
      calls.push_back({.arguments = arguments.dump()});
    };
    if (tool == "run_command") {
      for (const std::string& command : ask_.commands) add("command", command);
      if (calls.empty()) add("command", ask_.title);
      return calls;
    }
    for (const std::string& path : ask_.paths) add("path", path);
    if (calls.empty()) add("path", ".");
    return calls;
  }

  // `enough`: the calls have every argument that rules compare.
  AcpVerdict by_tool(const std::string& tool, std::vector<model::ToolCall> calls,
                     bool enough) const {
    const tool::ToolSpec spec{.name = tool, .capabilities = {.read_only = !writes(tool)}};
    AcpVerdict all;
    for (model::ToolCall& call : calls) {
      call.name = tool;
      const plan::CallVerdict verdict = verdict_of(plan_, call, &spec);
      if (verdict.verdict == model::Verdict::kDeny) return deny(verdict.why);
      if (verdict.verdict == model::Verdict::kAsk) all = {model::Verdict::kAsk, verdict.why};
    }
    if (all.verdict == model::Verdict::kAsk) return by_person(std::move(all));
    if (enough) return {};
    for (const model::Permission& rule : control_.permissions) {
      const auto pattern = model::parse_permission(rule.pattern);
      const bool counts = rule.verdict != model::Verdict::kAllow &&
                          (!pattern.ok() || names_tool(pattern->tool, tool));
      if (counts) {
        return deny("it does not say what exactly it would do, so " + rule.pattern +
                    " cannot be held against it");
      }
    }
    return {};
  }

  // Returns the person's answer, if there is one already.
  AcpVerdict by_person(AcpVerdict otherwise) const {
    const std::string id = ask_id(ask_);
    const auto& answers = plan_.agent_answers;
    const auto answer = std::find_if(answers.rbegin(), answers.rend(),
                                     [&](const plan::AgentAnswer& one) { return one.id == id; });
    if (answer == answers.rend()) return otherwise;
    if (answer->allowed) return {};
    return deny("a person rejected it" +
                (answer->reason.empty() ? std::string() : ": " + answer->reason));
  }

  // Returns true if the tool writes. Confinement and review cover that, so it needs consent only
  // if a profile asks for it.
  static bool writes(const std::string& tool) {
    return tool == "write_file" || tool == "edit_file" || tool == "delete_file" ||
           tool == "move_file" || tool == "run_command";
  }

  // If any rule restricts calls, an unknown call is refused.
  AcpVerdict unknown(const std::string& why) const {
    const auto binds = [](const model::Permission& rule) {
      return rule.verdict != model::Verdict::kAllow;
    };
    const model::Automation automation = model::automation_of(plan_.settings);
    const bool watched = std::ranges::any_of(control_.permissions, binds) ||
                         !control_.guards.denied_tools.empty() ||
                         !control_.guards.allowed_tools.empty() || model::asks(automation.write);
    if (!watched) return {};
    return deny(why + ", so the rules of this plan cannot be held against it");
  }

  const plan::State& plan_;
  const model::Control& control_;
  const Actor& actor_;
  const AcpAsk& ask_;
};

// Returns the decisions on the agent's calls that it has not received yet.
std::string decisions_since(const plan::State& plan, std::int64_t heard) {
  std::string text;
  const auto& all = plan.agent_answers;
  for (auto i = static_cast<std::size_t>(std::max<std::int64_t>(heard, 0)); i < all.size(); ++i) {
    text += text.empty() ? "" : "\n\n";
    if (all[i].allowed) {
      text += "A person allowed this call; make it now: " + all[i].what;
    } else {
      text += "A person rejected this call; go on without it: " + all[i].what;
      if (!all[i].reason.empty()) text += " (" + all[i].reason + ")";
    }
  }
  return text;
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

std::string strategy_task(const plan::State& plan, const std::vector<Messages::Loaded>& prompts) {
  std::string text =
      "Plan how the task below is to be carried out. Do not carry it out: change no file of the "
      "project. Look at what the task concerns, then write your strategy as one JSON object to the "
      "file " +
      std::string(kStrategyFile) +
      " in the project's folder; that file is all that is kept.\n\nTake as few steps as the task "
      "needs, for most tasks one. Who carries out a step sees the task, the steps and the files, "
      "and nothing else, so `detail` names files, behaviour and how to check it. Mode \"inline\" "
      "steps are carried out in order, in one place; \"subplan\" steps at the same time, each on "
      "its own copy, so they touch different files. The JSON Schema of the object:\n\n" +
      std::string(model::strategy_schema()) + "\n\nThe task:\n\n";
  std::string task;
  for (const auto& prompt : prompts) add_paragraphs(task, *prompt);
  text += task;
  if (const std::string& done = plan.settings.definition_of_done; !done.empty()) {
    text += "\n\nIt is done when: " + done;
  }
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
  if (std::string decisions = decisions_since(plan, session.answers); !decisions.empty()) {
    text += (text.empty() ? "" : "\n\n") + decisions;
  }
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

AcpVerdict verdict_on(const plan::State& plan, const Actor& actor, const AcpAsk& ask) {
  return AskJudge(plan, actor, ask).verdict();
}

std::string ask_id(const AcpAsk& ask) {
  constexpr std::size_t kDigits = 12;
  std::string text;
  const auto add = [&text](const std::string& part) { text += part + "\n"; };
  // A command is identified by its text; agents describe it in other words each time.
  std::ranges::for_each(ask.commands, add);
  if (ask.commands.empty()) {
    add(ask.tool);
    std::ranges::for_each(ask.kinds, add);
    std::ranges::for_each(ask.paths, add);
  }
  if (ask.commands.empty() && ask.paths.empty()) {
    add(ask.input);
    add(ask.title);
  }
  return base::sha256(text).to_hex().substr(0, kDigits);
}

std::string shown_ask(const AcpAsk& ask) {
  constexpr std::size_t kLongest = 300;
  std::string what = ask.tool.empty() && !ask.kinds.empty() ? ask.kinds.front() : ask.tool;
  const auto add = [&what](const std::string& text) {
    if (!text.empty()) what += (what.empty() ? "" : " ") + text;
  };
  add(ask.commands.empty() ? "" : ask.commands.back());
  for (const std::string& path : ask.paths) add(path);
  std::string text = ask.title;
  if (text.empty()) text = std::exchange(what, {});
  if (text.empty()) text = "a call without a name";
  if (!what.empty()) text += " (" + what + ")";
  return std::string(base::utf8_prefix(base::to_valid_utf8(text), kLongest));
}

}  // namespace clever::engine::internal
