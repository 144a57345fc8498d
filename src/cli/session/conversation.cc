#include "cli/session/conversation.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "base/text.h"
#include "base/thread.h"
#include "cli/live/region.h"
#include "cli/render.h"
#include "cli/session/file_completion.h"
#include "cli/session/history.h"
#include "cli/words.h"
#include "service/amounts.h"
#include "service/commands/plan_act.h"
#include "service/plan/approval_details.h"
#include "service/plan/control_settings.h"
#include "service/plan/earlier_turns.h"
#include "service/plan/plan_caps.h"
#include "service/plan/plan_log.h"
#include "service/plan/remembered_rules.h"
#include "service/plan/rule_warnings.h"
#include "service/plan/session_plans.h"
#include "service/text.h"

namespace clever::cli {
namespace {

constexpr std::string_view kPrompt = "> ";

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

Conversation::Conversation(const Invocation& invocation, const service::PlanDatabase& database,
                           io::OwnedTerminal& terminal, ConversationOptions options,
                           Context& context)
    : invocation_(invocation),
      database_(database),
      terminal_(terminal),
      options_(std::move(options)),
      context_(context),
      screen_(context.screen()),
      history_(context.home() / "history"),
      present_(options_.present),
      model_(options_.model),
      session_(options_.session) {
  // Who cannot be reminded can still talk.
  if (auto entries = load_history(history_); entries.ok())
    editor_ = LineEditor(*std::move(entries));
}

std::vector<std::string> Conversation::action_names() const {
  std::vector<std::string> names;
  for (const service::OwnAction& action : actions_) names.push_back(action.name);
  return names;
}

base::Result<void> Conversation::run() {
  const base::StopCallback on_stop(context_.stop(), [this] { terminal_.wake(); });
  if (auto actions = service::own_actions(options_.project.root, context_); actions.ok()) {
    actions_ = *std::move(actions);
  } else {
    CLEVER_TRY(say(actions.error()));
  }
  CLEVER_TRY(refresh_status());
  if (!options_.first_words.empty()) {
    CLEVER_TRY(say(std::string(kPrompt) + options_.first_words, Tone::kStrong));
    CLEVER_TRY(take(options_.first_words));
  }
  while (!over_) {
    CLEVER_ASSIGN(const auto text, read_line());
    if (!text) break;
    CLEVER_TRY(take(*text));
  }
  return {};
}

base::Result<void> Conversation::say(std::string_view text, Tone tone) {
  std::string shown;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += painted(printable(text.substr(0, end)), tone, screen_.output_look) + "\n";
    if (end >= text.size()) break;
    text.remove_prefix(end + 1);
  }
  return terminal_.write(shown);
}

base::Result<void> Conversation::say(const base::Error& error) {
  return say(context_.redactor().redact(error.sentence()), Tone::kBad);
}

// ---- Typing.

base::Result<void> Conversation::show_editor(bool with_status) {
  const std::size_t width = std::max<std::size_t>(terminal_.size().columns, 8);
  LineEditor::Picture picture = editor_.picture(kPrompt, width);
  if (with_status && !status_.empty()) {
    const std::string status = service::shortened(status_, width - 1, screen_.output_look.unicode);
    picture.rows.insert(picture.rows.begin(), painted(status, Tone::kDim, screen_.output_look));
    ++picture.cursor.row;
  }
  return terminal_.write(region_.draw(picture));
}

base::Result<void> Conversation::refresh_status() {
  if (!present_) {
    status_ = model_;
    return {};
  }
  CLEVER_ASSIGN(const service::SessionStatus now,
                service::session_status(database_, present_, session_,
                                        options_.project.root.string(), context_));
  status_ = now.model + " \u00b7 context " + service::tokens_text(now.context) + " of " +
            service::tokens_text(now.window) + " \u00b7 " +
            service::tokens_text(now.usage.input_tokens) + " in, " +
            service::tokens_text(now.usage.output_tokens) + " out \u00b7 " +
            service::cost_text(now.session_cost);
  return {};
}

base::Result<std::optional<std::size_t>> Conversation::pick(const std::vector<std::string>& rows) {
  const std::size_t most = std::max<std::size_t>(terminal_.size().rows, 4) - 3;
  const std::size_t width = std::max<std::size_t>(terminal_.size().columns, 8) - 1;
  std::size_t chosen = 0;
  Region region;
  keys_.clear();
  while (!ended_) {
    const std::size_t first = chosen >= most ? chosen - most + 1 : 0;
    std::vector<std::string> shown;
    for (std::size_t i = first; i < rows.size() && shown.size() < most; ++i) {
      const std::string row = (i == chosen ? "> " : "  ") + std::to_string(i + 1) + " " + rows[i];
      shown.push_back(
          painted(service::shortened(printable(row), width, screen_.output_look.unicode),
                  i == chosen ? Tone::kStrong : Tone::kPlain, screen_.output_look));
    }
    CLEVER_TRY(terminal_.write(region.draw({}, shown)));
    while (keys_.empty() && !ended_) CLEVER_TRY(wait_for_keys());
    if (keys_.empty()) break;
    const Key key = std::move(keys_.front());
    keys_.pop_front();
    using KeyKind = Key::Kind;
    if (key.kind == KeyKind::kUp || key.is('k')) chosen -= chosen > 0 ? 1 : 0;
    if (key.kind == KeyKind::kDown || key.is('j')) chosen += chosen + 1 < rows.size() ? 1 : 0;
    const bool leaves = key.kind == KeyKind::kEscape || key.is_ctrl('c') || key.is('q');
    const bool digit = key.kind == KeyKind::kCharacter && key.code >= '1' && key.code <= '9' &&
                       !key.ctrl && key.code - '1' < rows.size();
    if (digit) chosen = key.code - '1';
    if (!leaves && !digit && key.kind != KeyKind::kEnter) continue;
    CLEVER_TRY(terminal_.write(region.draw({}, {})));
    return leaves ? std::nullopt : std::optional(chosen);
  }
  return std::optional<std::size_t>();
}

base::Result<void> Conversation::wait_for_keys() {
  const auto patience = decoder_.is_pending() ? std::optional(KeyDecoder::kPatience) : std::nullopt;
  CLEVER_ASSIGN(const io::TerminalInput input, terminal_.wait(patience));
  ended_ = ended_ || input.ended || context_.stop().stop_requested();
  const bool nothing = input.bytes.empty() && !input.resized && !input.woken;
  for (Key& key : nothing ? decoder_.flush() : decoder_.feed(input.bytes)) {
    keys_.push_back(std::move(key));
  }
  return {};
}

base::Result<std::optional<std::string>> Conversation::read_line() {
  while (!ended_ && !over_) {
    while (!keys_.empty()) {
      const Key key = std::move(keys_.front());
      keys_.pop_front();
      CLEVER_ASSIGN(auto line, on_key(key));
      if (line || over_) return line;
    }
    CLEVER_TRY(show_editor());
    CLEVER_TRY(wait_for_keys());
  }
  CLEVER_TRY(terminal_.write(region_.leave()));
  return std::optional<std::string>();
}

base::Result<std::optional<std::string>> Conversation::on_key(const Key& key) {
  const bool was_leaving = std::exchange(leaving_, false);
  switch (editor_.handle(key)) {
    case LineEditor::Outcome::kSubmit: {
      CLEVER_TRY(show_editor(/*with_status=*/false));
      CLEVER_TRY(terminal_.write(region_.leave()));
      std::string text = editor_.text();
      editor_.clear();
      return std::optional(std::move(text));
    }
    case LineEditor::Outcome::kInterrupt:
      CLEVER_TRY(show_editor(/*with_status=*/false));
      CLEVER_TRY(terminal_.write(region_.leave()));
      over_ = was_leaving;
      leaving_ = true;
      if (!over_ && editor_.text().empty()) CLEVER_TRY(say("Ctrl-C again leaves", Tone::kDim));
      editor_.clear();
      break;
    case LineEditor::Outcome::kEnd:
      CLEVER_TRY(terminal_.write(region_.leave()));
      over_ = true;
      break;
    case LineEditor::Outcome::kComplete:
      CLEVER_TRY(complete());
      break;
    case LineEditor::Outcome::kRefresh:
      region_ = {};
      CLEVER_TRY(terminal_.write("\x1b[2J\x1b[H"));
      break;
    case LineEditor::Outcome::kNothing:
      break;
  }
  return std::optional<std::string>();
}

base::Result<void> Conversation::complete() {
  if (editor_.text().starts_with('/') && editor_.text().find(' ') == std::string::npos) {
    std::vector<std::string> names = action_names();
    for (const SessionCommand& each : session_commands()) names.emplace_back(each.name);
    std::ranges::sort(names);
    Completion completion = complete_command(editor_.text(), names);
    editor_.set(std::move(completion.text), completion.cursor);
    return show_choices(completion.choices);
  }
  const auto files = project_files(options_.project, context_.stop());
  if (!files.ok()) return {};
  Completion completion = complete_file(editor_.text(), editor_.cursor(), *files);
  editor_.set(std::move(completion.text), completion.cursor);
  return show_choices(completion.choices);
}

base::Result<void> Conversation::show_choices(const std::vector<std::string>& choices) {
  if (choices.empty()) return {};
  CLEVER_TRY(show_editor(/*with_status=*/false));
  CLEVER_TRY(terminal_.write(region_.leave()));
  for (const std::string& choice : choices) CLEVER_TRY(say("  " + choice, Tone::kDim));
  return {};
}

base::Result<std::optional<bool>> Conversation::confirm(const std::string& question,
                                                        const std::function<std::string()>& details,
                                                        const std::function<void()>& remember) {
  const std::string asked = painted(printable(question), Tone::kStrong, screen_.output_look) +
                            (remember ? " [y/n/a/d] " : " [y/n/d] ");
  CLEVER_TRY(terminal_.write(asked));
  // What was typed before the question is no answer to it.
  keys_.clear();
  while (!ended_) {
    while (!keys_.empty()) {
      const Key key = std::move(keys_.front());
      keys_.pop_front();
      const bool remembers = remember && (key.is('a') || key.is('A'));
      if (remembers) remember();
      const bool yes = key.is('y') || key.is('Y') || remembers;
      const bool no = key.is('n') || key.is('N');
      const bool leaves = key.is_ctrl('c') || key.is_ctrl('d') || key.kind == Key::Kind::kEscape;
      if (key.is('d') || key.is('D')) {
        CLEVER_TRY(terminal_.write("details\n" + details() + asked));
      }
      if (!yes && !no && !leaves) continue;
      CLEVER_TRY(terminal_.write(yes ? "yes\n" : no ? "no\n" : "\n"));
      return leaves ? std::nullopt : std::optional(yes);
    }
    CLEVER_TRY(wait_for_keys());
  }
  // A person who left answered neither.
  return std::optional<bool>();
}

// ---- What it means.

base::Result<void> Conversation::take(const std::string& text) {
  const auto line = session_line(text, action_names());
  if (line.ok() && line->kind == SessionLine::Kind::kNothing) return {};
  editor_.remember(text);
  if (const auto kept = add_to_history(history_, text); !kept.ok()) CLEVER_TRY(say(kept.error()));
  if (!line.ok()) return say(line.error());
  base::Result<void> done;
  switch (line->kind) {
    case SessionLine::Kind::kShell:
      done = shell(line->rest);
      break;
    case SessionLine::Kind::kCommand:
      done = command(*line);
      break;
    case SessionLine::Kind::kAction:
      done = run_action(*line);
      break;
    default:
      done = ask({.words = line->rest}, false);
      break;
  }
  if (const auto status = refresh_status(); !status.ok()) CLEVER_TRY(say(status.error()));
  // The terminal is not to blame for what a plan or a command could not do.
  return done.ok() ? base::Result<void>() : say(done.error());
}

base::Result<void> Conversation::command(const SessionLine& line) {
  if (line.name == "help") return show_help();
  if (line.name == "model") return choose_model(line.rest);
  if (line.name == "plan") return ask({.words = line.rest, .with_strategy = true}, true);
  if (line.name == "cost") return show_cost();
  if (line.name == "compact" || line.name == "clear") return begin_anew(line.name == "compact");
  if (line.name == "plans") return show_plans();
  if (line.name == "resume") return go_on();
  if (line.name == "quit") {
    over_ = true;
    return {};
  }
  if (line.name == "new") {
    present_ = {};
    return say("the next words begin a new plan", Tone::kDim);
  }
  return run_on_present({"plan", line.name});
}

base::Result<void> Conversation::show_help() {
  for (const SessionCommand& each : session_commands()) {
    std::string typed = "/" + std::string(each.name);
    if (!each.takes.empty()) typed += " " + std::string(each.takes);
    CLEVER_TRY(say("  " + padded(typed, 14) + std::string(each.summary)));
  }
  for (const service::OwnAction& action : actions_) {
    std::string typed = "/" + action.name;
    for (const std::string& argument : action.arguments) typed += " " + argument + "=\u2026";
    CLEVER_TRY(say("  " + padded(typed, 14) + " " + action.summary));
  }
  CLEVER_TRY(say("  " + padded("!COMMAND", 14) + "runs it in the project"));
  CLEVER_TRY(say("  " + padded("@FILE", 14) +
                 "names a file; Tab completes it; the path of a picture attaches it"));
  return say("  " + padded("Alt-Enter", 14) +
             "begins another line; so does \\ at the end; Ctrl-R searches what was typed");
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

// Work that is not applied would be left behind by a plan that begins anew.
base::Result<void> Conversation::begin_anew(bool summarised) {
  if (present_ && summarised) {
    CLEVER_ASSIGN(const plan::State state, database_.state(present_));
    if (state.is_ready_to_apply() && !state.undone) {
      return say("the present plan has changes: /apply or /cancel it first", Tone::kWarn);
    }
  }
  present_ = {};
  if (summarised) return say("the next words begin a plan that gets a summary", Tone::kDim);
  session_ = std::string(service::kConversation) + service::new_key(context_);
  CLEVER_TRY(terminal_.write("\x1b[2J\x1b[H"));
  return say("a new conversation", Tone::kDim);
}

base::Result<void> Conversation::choose_conversation() {
  CLEVER_ASSIGN(const auto all,
                service::conversations(database_, options_.project.root.string(), context_));
  if (all.empty()) return say("there is no older conversation in this folder", Tone::kDim);
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
  CLEVER_TRY(terminal_.write(render_rich(shown.view, screen_.output_look)));
  for (const Message& message : shown.messages) {
    const bool bad = message.level == Message::Level::kError;
    CLEVER_TRY(say(context_.redactor().redact(message.text), bad ? Tone::kBad : Tone::kDim));
  }
  return {};
}

base::Result<void> Conversation::run_on_present(std::vector<std::string> words) {
  if (!present_) return say("there is no plan yet: say what you want first", Tone::kWarn);
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

// ---- Plans.

base::Result<std::unique_ptr<service::RunPlans>> Conversation::open_plans() {
  service::RunPlans::Options options{.workplace = options_.answers, .heading = false};
  return service::RunPlans::open(database_, std::move(options), context_);
}

// A new plan, made as `run` makes it, and driven.
base::Result<void> Conversation::begin(service::RunPlans& plans, service::SessionTask task) {
  task.project = options_.project.root;
  task.model = model_;
  task.agent = options_.agent;
  task.session = session_;
  task.allow = remembered_;
  CLEVER_ASSIGN(const auto remarks, service::begin_plan(plans, database_, task, context_));
  for (const std::string& remark : remarks) CLEVER_TRY(say(remark, Tone::kWarn));
  present_ = plans.plans().front();
  return {};
}

base::Result<void> Conversation::tell_present(service::RunPlans& plans,
                                              const plan::Command& command) {
  CLEVER_TRY(service::send_command(plans.runtime().plans(), present_, service::new_key(context_),
                                   command, context_.stop()));
  return plans.take_over(present_);
}

base::Result<void> Conversation::ask(service::SessionTask task, bool new_plan) {
  if (task.words.empty() && task.action.empty()) {
    return say("what is to be done? /plan TASK", Tone::kWarn);
  }
  CLEVER_ASSIGN(task.images, service::named_images(task.words, options_.project.root, context_));
  bool goes_on = present_ && !new_plan;
  if (goes_on) {
    CLEVER_ASSIGN(const plan::State state, database_.state(present_));
    goes_on = !state.is_final();
  }
  if (!goes_on) {
    return answer([&](service::RunPlans& plans) { return begin(plans, task); });
  }
  plan::Prompt prompt;
  prompt.message = {model::Role::kUser, {model::Text{task.words}}};
  for (model::Image& image : task.images) prompt.message.parts.emplace_back(std::move(image));
  prompt.model = model_;
  return answer([&](service::RunPlans& plans) { return tell_present(plans, prompt); });
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

// The engine is there as long as the answer.
base::Result<void> Conversation::answer(const Start& start) {
  CLEVER_ASSIGN(auto plans, open_plans());
  CLEVER_TRY(start(*plans));
  while (true) {
    CLEVER_ASSIGN(const auto state, wait(*plans));
    if (!state) break;
    CLEVER_ASSIGN(const Answer given, answer_approval(*plans, *state));
    if (given == Answer::kNotAsked) return tell_end(*plans, *state);
    if (given == Answer::kLeftOpen) {
      return say("left open: /resume asks again, and what you say next is the answer", Tone::kWarn);
    }
    plans->show_progress();
  }
  plans.reset();
  return say("interrupted: what you say next goes to the same plan, /resume lets it go on",
             Tone::kWarn);
}

base::Result<std::optional<plan::State>> Conversation::wait(service::RunPlans& plans) {
  base::StopSource interruption(context_.stop());
  base::Guarded<bool> done;
  {
    const base::Thread waiter("answer", [&](const base::StopToken&) {
      static_cast<void>(plans.runtime().plans().wait(present_, interruption.token()).ok());
      done.with([](bool& is) { is = true; });
      terminal_.wake();
    });
    while (!done.with([](const bool& is) { return is; })) {
      if (const auto waited = wait_for_keys(); !waited.ok()) {
        // The other thread must not wait on.
        interruption.request_stop();
        return waited.error();
      }
      const auto stops = [](const Key& key) { return key.is_ctrl('c'); };
      if (std::erase_if(keys_, stops) > 0 || ended_) interruption.request_stop();
      // A terminal that is gone has nothing more to wait for.
      if (ended_) break;
    }
  }
  CLEVER_ASSIGN(auto states, plans.states());
  plan::State& state = states.front();
  if (interruption.stop_requested() && !state.is_at_rest()) return std::optional<plan::State>();
  return std::optional(std::move(state));
}

base::Result<void> Conversation::show_asked(const plan::State& asking) {
  if (!asking.approval) return say(asking.reason, Tone::kWarn);
  if (asking.id != present_)
    CLEVER_TRY(say(service::one_line(asking.title, 70) + " asks", Tone::kDim));
  for (const model::ApprovalItem& item : asking.approval->items) {
    CLEVER_TRY(say("  " + item.what, Tone::kStrong));
    if (!item.why.empty()) CLEVER_TRY(say("    " + item.why, Tone::kDim));
  }
  return {};
}

std::string Conversation::details_of(const plan::State& asking) const {
  std::string text;
  if (asking.approval) {
    for (const model::ApprovalItem& item : asking.approval->items) {
      const std::string more =
          service::approval_details(database_.engine(), asking, item, context_.stop());
      if (!more.empty()) text += "  " + printable(item.what) + "\n" + more;
    }
  }
  return text.empty() ? "  no further details\n" : text;
}

base::Result<void> Conversation::remember_rules(const std::vector<std::string>& rules) {
  CLEVER_TRY(say("for how long?", Tone::kStrong));
  CLEVER_ASSIGN(const auto chosen, pick({"this conversation", "this project", "always"}));
  const auto scope =
      chosen ? static_cast<service::RememberFor>(*chosen) : service::RememberFor::kSession;
  for (const std::string& rule : rules) {
    remembered_.push_back(rule);
    CLEVER_TRY(service::remember_rule(context_, options_.project.root, rule, scope));
  }
  return {};
}

base::Result<Conversation::Answer> Conversation::answer_approval(service::RunPlans& plans,
                                                                 const plan::State& state) {
  CLEVER_ASSIGN(auto found, plans.asking(state));
  if (!found && state.waiting != plan::Waiting::kApproval) return Answer::kNotAsked;
  const plan::State& asking = found ? *found : state;
  CLEVER_TRY(show_asked(asking));
  std::vector<std::string> rules;
  bool remember = false;
  if (found && asking.approval && asking.approval->subject == "tools") {
    for (const model::ApprovalItem& item : asking.approval->items) {
      if (const auto rule = service::rule_like(item)) rules.push_back(*rule);
    }
    // All of what is asked, or a yes would remember less than it says.
    if (rules.size() != asking.approval->items.size()) rules.clear();
  }
  const std::string question =
      rules.empty() ? "Approve?"
                    : "Approve? (a: and do not ask again for " + base::joined(rules) + ")";
  CLEVER_ASSIGN(const auto yes,
                confirm(
                    question, [&] { return details_of(asking); },
                    rules.empty() ? std::function<void()>() : [&] { remember = true; }));
  // An earlier release asked without a number, and took only a yes.
  if (!yes || (!*yes && !found)) return Answer::kLeftOpen;
  const std::int64_t number = found ? asking.approval->number : 0;
  if (!remember) rules.clear();
  if (remember) CLEVER_TRY(remember_rules(rules));
  plan::Command command = plan::Approve{.number = number, .remember = rules};
  if (!*yes) command = plan::Reject{.number = number, .reason = "a person said no"};
  CLEVER_TRY(service::send_command(plans.runtime().plans(), asking.id, service::new_key(context_),
                                   service::signed_by_person(std::move(command), context_),
                                   context_.stop()));
  if (asking.id != state.id) CLEVER_TRY(plans.hear_of_answer(state, context_.stop()));
  return Answer::kGiven;
}

base::Result<void> Conversation::tell_end(service::RunPlans& plans, const plan::State& state) {
  const auto files = plans.files(state);
  for (const service::ChangedFile& file : files) {
    CLEVER_TRY(say("  " + std::string(file.status) + " " + file.path + "  +" +
                       std::to_string(file.insertions) + " -" + std::to_string(file.deletions),
                   Tone::kDim));
  }
  if (state.is_ready_to_apply()) {
    return say("ready: /diff shows it, /apply lets it land", Tone::kGood);
  }
  if (state.state == model::PlanState::kComplete || state.state == model::PlanState::kApplied) {
    return {};
  }
  const std::string why = service::reason_of(state);
  if (state.waiting == plan::Waiting::kAnswer) {
    CLEVER_TRY(say(why.substr(0, why.rfind(" (`agents ")), Tone::kStrong));
    return say("what you say next is the answer", Tone::kDim);
  }
  return say(service::place_of(state) + (why.empty() ? "" : ": " + why), Tone::kWarn);
}

}  // namespace clever::cli
