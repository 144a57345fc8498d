// The commands of a conversation that begin with a slash.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "cli/diff/shown_changes.h"
#include "cli/render.h"
#include "cli/session/conversation.h"
#include "cli/words.h"
#include "service/amounts.h"
#include "service/commands/plan_act.h"
#include "service/plan/plan_log.h"
#include "service/plan/session_plans.h"
#include "service/text.h"

namespace clever::cli {
namespace {

std::string shell_of(const Context& context) {
  const auto shell = context.environment().value("SHELL");
  return shell && !shell->empty() ? std::string(*shell) : "/bin/sh";
}

// What the rest of a line says to an action: NAME=VALUE for its arguments, other words are the
// task.
service::SessionTask task_of(const service::OwnAction& action, const std::string& rest) {
  service::SessionTask task{.action = "local/" + action.name};
  if (action.name.find('/') != std::string::npos) task.action = action.name;
  for (const std::string_view word : base::split(rest, ' ')) {
    const std::size_t equals = word.find('=');
    const std::string name(word.substr(0, std::min(equals, word.size())));
    const bool known =
        equals != word.npos && std::ranges::find(action.arguments, name) != action.arguments.end();
    if (known) {
      task.arguments[name] = word.substr(equals + 1);
    } else if (!word.empty()) {
      task.words += (task.words.empty() ? "" : " ") + std::string(word);
    }
  }
  // Words alone are the value of an only argument.
  if (action.arguments.size() == 1 && task.arguments.empty() && !task.words.empty()) {
    task.arguments[action.arguments.front()] = std::exchange(task.words, {});
  }
  return task;
}

}  // namespace

base::Result<void> Conversation::command(const SessionLine& line) {
  if (line.name == "help") return show_help();
  if (line.name == "model") return choose_model(line.rest);
  if (line.name == "plan") return ask({.words = line.rest, .with_strategy = true}, true);
  if (line.name == "cost") return show_cost();
  if (line.name == "compact") return compact();
  if (line.name == "clear") return clear();
  if (line.name == "plans") return show_plans();
  if (line.name == "resume") return go_on();
  if (line.name == "quit") {
    over_ = true;
    return {};
  }
  if (line.name == "new") {
    present_ = {};
    compacts_ = false;
    return say("your next words start a new plan", Tone::kDim);
  }
  return run_on_present({"plan", line.name});
}

base::Result<void> Conversation::show_help() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const SessionCommand& each : session_commands()) {
    std::string typed = "/" + std::string(each.name);
    if (!each.takes.empty()) typed += " " + std::string(each.takes);
    rows.emplace_back(std::move(typed), each.summary);
  }
  for (const service::OwnAction& action : actions_) {
    std::string typed = "/" + action.name;
    for (const std::string& argument : action.arguments) typed += " " + argument + "=\u2026";
    rows.emplace_back(std::move(typed), action.summary);
  }
  rows.emplace_back("!COMMAND", "runs it in the project");
  rows.emplace_back("@FILE", "names a file; Tab completes it; the path of a picture attaches it");
  rows.emplace_back("Alt-Enter",
                    "starts another line; so does \\ at the end; Ctrl-R searches what you typed");
  std::size_t width = 0;
  for (const auto& [typed, summary] : rows) width = std::max(width, columns(typed));
  for (const auto& [typed, summary] : rows) {
    CLEVER_TRY(say("  " + padded(typed, width + 2) + summary));
  }
  return {};
}

base::Result<void> Conversation::run_action(const SessionLine& line) {
  const auto action = std::ranges::find(actions_, line.name, &service::OwnAction::name);
  service::SessionTask task = task_of(*action, line.rest);
  task.with_strategy = true;
  return ask(std::move(task), true);
}

base::Result<void> Conversation::show_cost() {
  if (!present_) return say("nothing yet", Tone::kDim);
  CLEVER_ASSIGN(const service::SessionStatus now,
                service::session_status(database_, present_, session_,
                                        options_.project.root.string(), context_));
  CLEVER_TRY(say("this plan: " + std::to_string(now.usage.input_tokens) + " tokens in, " +
                 std::to_string(now.usage.output_tokens) + " out, " +
                 service::cost_text(now.usage.cost)));
  return say("this conversation: " + service::cost_text(now.session_cost));
}

base::Result<void> Conversation::compact() {
  if (!present_) return say("there is nothing to compact yet", Tone::kDim);
  compacts_ = true;
  return say("the next words get a summary in place of the dialogue; what was changed so far stays",
             Tone::kDim);
}

base::Result<void> Conversation::clear() {
  present_ = {};
  compacts_ = false;
  session_ = std::string(service::kConversation) + service::new_key(context_);
  CLEVER_TRY(terminal_.write("\x1b[2J\x1b[H"));
  return say("a new conversation", Tone::kDim);
}

base::Result<void> Conversation::choose_conversation() {
  CLEVER_ASSIGN(const auto all,
                service::conversations(database_, options_.project.root.string(), context_));
  if (all.empty()) return say("no older conversation exists in this folder", Tone::kDim);
  std::vector<std::string> rows;
  for (const service::SessionPlans& each : all) {
    rows.push_back(service::shown_time(each.plans.back().updated).substr(0, 16) + "  " +
                   std::to_string(each.plans.size()) +
                   (each.plans.size() == 1 ? " plan   " : " plans  ") +
                   service::one_line(each.plans.front().title, 60));
  }
  CLEVER_ASSIGN(const auto chosen, pick(rows));
  if (!chosen) return {};
  const service::SessionPlans& session = all[*chosen];
  session_ = session.session;
  compacts_ = false;
  present_ = session.plans.back().id;
  for (const service::PlanSummary& plan : session.plans) {
    CLEVER_ASSIGN(const auto entries, service::log_of_tree(database_, plan.id, context_));
    for (const service::LogEntry& entry : entries) {
      const bool prompt = entry.kind == service::LogEntry::Kind::kPrompt;
      if (entry.plan != plan.id || (!prompt && entry.kind != service::LogEntry::Kind::kText))
        continue;
      CLEVER_TRY(prompt
                     ? say(std::string(kPrompt) + entry.text, Tone::kStrong)
                     : terminal_.write(render_rich({Markdown{entry.text}}, screen_.output_look)));
    }
  }
  return {};
}

base::Result<void> Conversation::choose_model(const std::string& typed) {
  std::string name = typed;
  if (name.empty()) {
    CLEVER_ASSIGN(const auto names, service::model_names(context_));
    CLEVER_TRY(say("now: " + (model_.empty() ? "the usual model" : model_), Tone::kDim));
    CLEVER_ASSIGN(const auto chosen, pick(names));
    if (!chosen) return {};
    name = names[*chosen].substr(0, names[*chosen].find(' '));
  }
  CLEVER_ASSIGN(const auto plans, open_plans());
  CLEVER_ASSIGN(const auto terms, plans->runtime().terms(name));
  model_ = name;
  return say("from here on " + terms.model, Tone::kDim);
}

base::Result<void> Conversation::shell(const std::string& words) {
  CLEVER_ASSIGN(const int code,
                terminal_.run({shell_of(context_), "-c", words}, options_.project.root));
  if (code == 0) return {};
  return say("exit code " + std::to_string(code), Tone::kWarn);
}

// One of the program's own commands, as if it had been typed to a shell.
base::Result<void> Conversation::run_words(const std::vector<std::string>& words) {
  const Parsed parsed = parse(invocation_.root(), words);
  if (parsed.error) return base::invalid_argument(parsed.error->message);
  terminal_.suspend();
  auto report = parsed.invocation.command().handler(parsed.invocation, context_);
  terminal_.resume();
  const Report shown = report.ok() ? *std::move(report) : failed(report.error());
  const View view =
      with_changes_as_text(shown.view, screen_, screen_.output_look, context_.width());
  CLEVER_TRY(terminal_.write(render_rich(view, screen_.output_look)));
  for (const Message& message : shown.messages) {
    const bool bad = message.level == Message::Level::kError;
    CLEVER_TRY(say(context_.redactor().redact(message.text), bad ? Tone::kBad : Tone::kDim));
  }
  return {};
}

base::Result<void> Conversation::run_on_present(std::vector<std::string> words) {
  if (!present_) return say("no plan yet: type what you want first", Tone::kWarn);
  words.push_back(present_.to_string());
  return run_words(words);
}

base::Result<void> Conversation::show_plans() {
  CLEVER_ASSIGN(
      const service::SessionPlans session,
      service::plans_of_session(database_, options_.project.root.string(), session_, context_));
  if (session.plans.empty()) return say("no plan yet", Tone::kDim);
  for (const service::PlanSummary& plan : session.plans) {
    const std::string mark = plan.id == present_ ? "* " : "  ";
    CLEVER_TRY(say(mark + plan.id.to_string() + "  " + padded(plan.phase + "/" + plan.state, 20) +
                   service::one_line(plan.title, 60)));
  }
  return {};
}

base::Result<void> Conversation::go_on() {
  if (!present_) return choose_conversation();
  CLEVER_ASSIGN(const plan::State state, database_.state(present_));
  const bool rests = state.is_final() || state.state == model::PlanState::kComplete;
  if (rests) return choose_conversation();
  return answer([&](service::RunPlans& plans) -> base::Result<void> {
    // One that was only left goes on by being driven; one that asks is to be answered, and going on
    // would be a yes.
    CLEVER_ASSIGN(const auto asking, plans.asking(state));
    if (asking || !state.is_at_rest()) return plans.take_over(present_);
    return tell_present(plans, plan::Resume{});
  });
}

std::vector<std::string> Conversation::action_names() const {
  std::vector<std::string> names;
  for (const service::OwnAction& action : actions_) names.push_back(action.name);
  return names;
}

}  // namespace clever::cli
