#include "cli/session/conversation.h"

#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "base/thread.h"
#include "cli/session/file_completion.h"
#include "cli/session/history.h"
#include "cli/words.h"
#include "service/commands/plan_act.h"
#include "service/plan/approval_details.h"
#include "service/plan/control_settings.h"
#include "service/plan/earlier_turns.h"
#include "service/plan/plan_caps.h"
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
      model_(options_.model) {
  // Who cannot be reminded can still talk.
  if (auto entries = load_history(history_); entries.ok())
    editor_ = LineEditor(*std::move(entries));
}

base::Result<void> Conversation::run() {
  const base::StopCallback on_stop(context_.stop(), [this] { terminal_.wake(); });
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

base::Result<void> Conversation::show_editor() {
  const std::size_t width = terminal_.size().columns;
  return terminal_.write(region_.draw(editor_.picture(kPrompt, width > 8 ? width : 8)));
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
      CLEVER_TRY(show_editor());
      CLEVER_TRY(terminal_.write(region_.leave()));
      std::string text = editor_.text();
      editor_.clear();
      return std::optional(std::move(text));
    }
    case LineEditor::Outcome::kInterrupt:
      CLEVER_TRY(show_editor());
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
  const auto files = project_files(options_.project, context_.stop());
  if (!files.ok()) return {};
  Completion completion = complete_file(editor_.text(), editor_.cursor(), *files);
  editor_.set(std::move(completion.text), completion.cursor);
  if (completion.choices.empty()) return {};
  CLEVER_TRY(show_editor());
  CLEVER_TRY(terminal_.write(region_.leave()));
  for (const std::string& choice : completion.choices) CLEVER_TRY(say("  " + choice, Tone::kDim));
  return {};
}

base::Result<std::optional<bool>> Conversation::confirm(
    const std::string& question, const std::function<std::string()>& details) {
  const std::string asked =
      painted(printable(question), Tone::kStrong, screen_.output_look) + " [y/n/d] ";
  CLEVER_TRY(terminal_.write(asked));
  // What was typed before the question is no answer to it.
  keys_.clear();
  while (!ended_) {
    while (!keys_.empty()) {
      const Key key = std::move(keys_.front());
      keys_.pop_front();
      const bool yes = key.is('y') || key.is('Y');
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
  const auto line = session_line(text);
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
    default:
      done = ask(line->rest, false);
      break;
  }
  // The terminal is not to blame for what a plan or a command could not do.
  return done.ok() ? base::Result<void>() : say(done.error());
}

base::Result<void> Conversation::command(const SessionLine& line) {
  if (line.name == "help") return show_help();
  if (line.name == "model") return choose_model(line.rest);
  if (line.name == "plan") return ask(line.rest, true);
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
  CLEVER_TRY(say("  " + padded("!COMMAND", 14) + "runs it in the project"));
  CLEVER_TRY(say("  " + padded("@FILE", 14) + "names a file; Tab completes it"));
  return say("  " + padded("Alt-Enter", 14) +
             "begins another line; so does \\ at the end; Ctrl-R searches what was typed");
}

base::Result<void> Conversation::choose_model(const std::string& name) {
  if (name.empty()) return say(model_.empty() ? "the usual model" : model_);
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
  CLEVER_ASSIGN(const service::SessionPlans session,
                service::plans_of_session(database_, options_.project.root.string(),
                                          options_.session, context_));
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
base::Result<void> Conversation::begin(service::RunPlans& plans, const std::string& words,
                                       bool with_strategy) {
  CLEVER_ASSIGN(const auto remarks, service::begin_plan(plans, database_,
                                                        {.words = words,
                                                         .project = options_.project.root,
                                                         .model = model_,
                                                         .agent = options_.agent,
                                                         .session = options_.session,
                                                         .with_strategy = with_strategy},
                                                        context_));
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

base::Result<void> Conversation::ask(const std::string& words, bool with_strategy) {
  if (words.empty()) return say("what is to be done? /plan TASK", Tone::kWarn);
  bool goes_on = present_ && !with_strategy;
  if (goes_on) {
    CLEVER_ASSIGN(const plan::State state, database_.state(present_));
    goes_on = !state.is_final();
  }
  if (!goes_on) {
    return answer([&](service::RunPlans& plans) { return begin(plans, words, with_strategy); });
  }
  plan::Prompt prompt;
  prompt.message = {model::Role::kUser, {model::Text{words}}};
  prompt.model = model_;
  return answer([&](service::RunPlans& plans) { return tell_present(plans, prompt); });
}

base::Result<void> Conversation::go_on() {
  if (!present_) return say("there is no plan to go on with", Tone::kWarn);
  CLEVER_ASSIGN(const plan::State state, database_.state(present_));
  if (state.is_final()) return say("the plan is over: what you say next begins a new one");
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

base::Result<Conversation::Answer> Conversation::answer_approval(service::RunPlans& plans,
                                                                 const plan::State& state) {
  CLEVER_ASSIGN(auto found, plans.asking(state));
  if (!found && state.waiting != plan::Waiting::kApproval) return Answer::kNotAsked;
  const plan::State& asking = found ? *found : state;
  CLEVER_TRY(show_asked(asking));
  CLEVER_ASSIGN(const auto yes, confirm("Approve?", [&] { return details_of(asking); }));
  // An earlier release asked without a number, and took only a yes.
  if (!yes || (!*yes && !found)) return Answer::kLeftOpen;
  const std::int64_t number = found ? asking.approval->number : 0;
  plan::Command command = plan::Approve{.number = number};
  if (!*yes) command = plan::Reject{.number = number, .reason = "a person said no"};
  CLEVER_TRY(service::send_command(plans.runtime().plans(), asking.id, service::new_key(context_),
                                   command, context_.stop()));
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
