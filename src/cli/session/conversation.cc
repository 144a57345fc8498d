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
#include "plan/advice.h"
#include "service/amounts.h"
#include "service/caller_rights.h"
#include "service/commands/plan_act.h"
#include "service/plan/session_plans.h"
#include "service/text.h"

namespace clever::cli {

Conversation::Conversation(const Invocation& invocation, const service::PlanDatabase& database,
                           io::OwnedTerminal& terminal, ConversationOptions options,
                           Context& context)
    : invocation_(invocation),
      database_(database),
      terminal_(terminal),
      options_(std::move(options)),
      context_(context),
      screen_(context.screen()),
      history_(service::owns_home(context) ? context.home() / "history" : ""),
      present_(options_.present),
      model_(options_.model),
      session_(options_.session) {
  // Without a history file, typing still works.
  if (auto entries = load_history(history_); entries.ok())
    editor_ = LineEditor(*std::move(entries));
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

// ---- typing

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
    const auto& settings = context_.settings();
    status_ = model_.empty() ? options_.agent : model_;
    for (const char* key : {"plan.agent", "model.default"}) {
      if (status_.empty() && settings.ok()) status_ = settings->text(key);
    }
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

// ---- What it means.

base::Result<void> Conversation::take(const std::string& text) {
  const auto line = session_line(text, action_names());
  if (line.ok() && line->kind == SessionLine::Kind::kNothing) return {};
  editor_.remember(text);
  if (!history_.empty()) {
    if (const auto kept = add_to_history(history_, text); !kept.ok()) CLEVER_TRY(say(kept.error()));
  }
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
  // Shows an error of a plan or command and continues: the terminal is fine.
  return done.ok() ? base::Result<void>() : say(done.error());
}

// ---- Plans.

base::Result<std::unique_ptr<service::RunPlans>> Conversation::open_plans() {
  service::RunPlans::Options options{.workplace = options_.answers, .heading = false};
  return service::RunPlans::open(database_, std::move(options), context_);
}

// Makes a new plan as `run` makes it, and drives it.
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

// By an engine of its own: the display is the new plan's.
base::Result<void> Conversation::replace_present(service::SessionTask& task) {
  CLEVER_ASSIGN(plan::State state, database_.state(present_));
  if (!state.is_final()) {
    CLEVER_ASSIGN(const auto summary, database_.find(present_.to_string()));
    CLEVER_ASSIGN(const service::MeantPlan plan, service::meant_plan(database_, summary));
    CLEVER_ASSIGN(const auto actor, service::PlanActor::open(plan, context_));
    CLEVER_TRY(actor->send("cancel", plan::Cancel{"a new plan continues its work"}));
    CLEVER_ASSIGN(state, actor->wait());
  }
  const bool continues = state.state == model::PlanState::kCancelled && plan::left_work(state);
  if (continues) task.from_plan = present_;
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
    return say("say what to do: /plan TASK", Tone::kWarn);
  }
  CLEVER_ASSIGN(task.images, service::named_images(task.words, options_.project.root, context_));
  const bool compacts = std::exchange(compacts_, false) && present_;
  bool goes_on = present_ && !new_plan && !compacts;
  if (goes_on) {
    CLEVER_ASSIGN(const plan::State state, database_.state(present_));
    goes_on = !state.is_final();
  }
  if (!goes_on) {
    if (compacts) CLEVER_TRY(replace_present(task));
    return answer([&](service::RunPlans& plans) { return begin(plans, task); });
  }
  plan::Prompt prompt;
  prompt.message = {model::Role::kUser, {model::Text{task.words}}};
  for (model::Image& image : task.images) prompt.message.parts.emplace_back(std::move(image));
  prompt.model = model_;
  return answer([&](service::RunPlans& plans) { return tell_present(plans, prompt); });
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
      return say("left open: /resume asks again, or type your answer", Tone::kWarn);
    }
    plans->show_progress();
  }
  plans.reset();
  return say("interrupted: your next words go to the same plan; /resume continues it", Tone::kWarn);
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
        // The other thread must not wait any longer.
        interruption.request_stop();
        return waited.error();
      }
      const auto stops = [](const Key& key) { return key.is_ctrl('c'); };
      if (std::erase_if(keys_, stops) > 0 || ended_) interruption.request_stop();
      // Without a terminal there is nothing more to wait for.
      if (ended_) break;
    }
  }
  CLEVER_ASSIGN(auto states, plans.states());
  plan::State& state = states.front();
  if (interruption.stop_requested() && !state.is_at_rest()) return std::optional<plan::State>();
  return std::optional(std::move(state));
}

base::Result<void> Conversation::tell_end(service::RunPlans& plans, const plan::State& state) {
  const auto files = plans.files(state);
  for (const service::ChangedFile& file : files) {
    CLEVER_TRY(say("  " + std::string(file.status) + " " + file.path + "  +" +
                       std::to_string(file.insertions) + " -" + std::to_string(file.deletions),
                   Tone::kDim));
  }
  if (state.is_ready_to_apply()) {
    return say("ready: /diff shows it, /apply applies it", Tone::kGood);
  }
  if (state.state == model::PlanState::kComplete || state.state == model::PlanState::kApplied) {
    return {};
  }
  const std::string why = service::reason_of(state);
  if (state.waiting == plan::Waiting::kAnswer) {
    CLEVER_TRY(say(why.substr(0, why.rfind(" (`agents ")), Tone::kStrong));
    return say("your next words are the answer", Tone::kDim);
  }
  return say(service::place_of(state) + (why.empty() ? "" : ": " + why), Tone::kWarn);
}

}  // namespace clever::cli
