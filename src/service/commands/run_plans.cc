#include "service/commands/run_plans.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "service/caller.h"
#include "service/commands/plan_act.h"
#include "service/commands/plan_follow.h"
#include "service/commands/plan_landing.h"
#include "service/plan/approval_details.h"
#include "service/plan/approval_words.h"
#include "service/plan_recorder.h"
#include "service/text.h"

namespace clever::service {
namespace {

std::string option_path(const Invocation& invocation, std::string_view option,
                        const Context& context) {
  const auto value = invocation.value(option);
  return value ? (context.directory() / *value).string() : std::string();
}

}  // namespace

WorkplaceOptions answers_of(const Invocation& invocation, const Context& context) {
  WorkplaceOptions options;
  options.answers = {.record = option_path(invocation, "record", context),
                     .replay = option_path(invocation, "replay", context)};
  options.script = option_path(invocation, "script", context);
  options.unconfined = invocation.flag("unconfined");
  return options;
}

LiveOptions live_options(std::size_t tasks, Context& context) {
  LiveOptions options{.tasks = tasks, .dumb = context.environment().value("TERM") == "dumb"};
  const auto& settings = context.settings();
  if (settings.ok()) options.notify = notify_from_string(settings->text("output.notify"));
  return options;
}

RunPlans::RunPlans(const PlanDatabase& database, Options options, Context& context)
    : database_(database), options_(std::move(options)), context_(context) {}

base::Result<std::unique_ptr<RunPlans>> RunPlans::open(const PlanDatabase& database,
                                                       Options options, Context& context) {
  // Must run before threads start: from now on both Ctrl-C are requests.
  static_cast<void>(context.insistence());
  std::unique_ptr<RunPlans> run(new RunPlans(database, std::move(options), context));
  WorkplaceOptions workplace = run->options_.workplace;
  if (run->options_.shows_progress) {
    LiveOptions live = live_options(run->options_.tasks, context);
    live.heading = run->options_.heading;
    run->progress_ = context.screen().live_display(live);
    workplace.observer = run->progress_.get();
  }
  engine::Runtime* const shared = !run->options_.drives && context.recorder() != nullptr
                                      ? context.recorder()->runtime(database.engine())
                                      : nullptr;
  if (shared != nullptr) {
    CLEVER_ASSIGN(run->recording_, Recording::open(*shared, workplace, context));
  } else {
    CLEVER_ASSIGN(run->workplace_, Workplace::open(database, workplace, context));
  }
  return run;
}

PlanParts RunPlans::parts() {
  return recording_ ? recording_->parts() : plan_parts(workplace_->runtime(), project());
}

engine::KnownTools RunPlans::answered_servers() {
  return recording_ ? engine::KnownTools() : project().answered_servers();
}

base::Result<void> RunPlans::create(plan::Create command, const storage::Caps& caps,
                                    const engine::PlanEngine::With& with) {
  if (recording_) {
    CLEVER_ASSIGN(command, recording_->without_secrets(std::move(command)));
  }
  engine::PlanEngine& plans = runtime().plans();
  const bool drives = options_.drives && plans_.size() < options_.most_plans;
  const base::StopToken stop = context_.stop();
  CLEVER_ASSIGN(const model::PlanId plan, drives
                                              ? plans.create(std::move(command), caps, stop)
                                              : plans.record(std::move(command), caps, with, stop));
  plans_.push_back(plan);
  if (drives) driven_ = plans_.size();
  return {};
}

base::Result<void> RunPlans::take_over(const model::PlanId& plan) {
  CLEVER_TRY(runtime().plans().drive(plan, context_.stop()));
  plans_.push_back(plan);
  driven_ = plans_.size();
  return {};
}

base::Result<RunEnd> RunPlans::run() {
  const base::StopToken stop = context_.stop();
  const auto waited = wait_and_land(stop);
  if (waited.ok()) return RunEnd::kAtRest;
  if (!stop.stop_requested()) return with_advice(waited.error());
  return interrupted();
}

base::Error RunPlans::with_advice(const base::Error& error) const {
  using enum base::ErrorCode;
  const bool can_mend = error.code() == kUnavailable || error.code() == kResourceExhausted ||
                        error.code() == kPermissionDenied;
  if (!can_mend || plans_.empty()) return error;
  const std::string id = plans_.size() == 1 ? " " + plans_.front().to_string() : std::string();
  return {error.code(), error.sentence() +
                            "; no recorded work is lost: once this is fixed, `agents resume" + id +
                            "` goes on"};
}

// Lands the plans in their order; the others continue meanwhile.
base::Result<void> RunPlans::wait_and_land(const base::StopToken& stop) {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    CLEVER_TRY(drive_up_to(i + options_.most_plans, stop));
    CLEVER_ASSIGN(const auto state, wait(plans_[i], stop));
    if (!options_.apply || !state->is_ready_to_apply()) continue;
    CLEVER_TRY(apply(state->id, *options_.apply, stop));
  }
  return {};
}

base::Result<void> RunPlans::apply(const model::PlanId& plan, const model::ApplyRequested& request,
                                   const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto state, runtime().plans().state(plan));
  model::ApplyRequested signed_request = request;
  signed_request.by = person_name(context_);
  CLEVER_ASSIGN(std::string held, land_unasked(runtime(), *state, signed_request, stop));
  if (!held.empty()) held_[plan] = std::move(held);
  return {};
}

base::Result<void> RunPlans::drive_up_to(std::size_t place, const base::StopToken& stop) {
  for (; driven_ < std::min(place, plans_.size()); ++driven_) {
    CLEVER_TRY(runtime().plans().drive(plans_[driven_], stop));
  }
  return {};
}

base::Result<std::shared_ptr<const plan::State>> RunPlans::wait(const model::PlanId& plan,
                                                                const base::StopToken& stop) {
  while (true) {
    CLEVER_ASSIGN(const auto state, runtime().plans().wait(plan, stop));
    // The profile ci expects an exit code, not a question.
    if (state->settings.profile == "ci") return state;
    CLEVER_ASSIGN(const bool goes_on, ask_person(*state, stop));
    if (!goes_on) return runtime().plans().wait(plan, stop);
  }
}

base::Result<std::optional<plan::State>> RunPlans::asking(const plan::State& plan) {
  if (plan.approval) return std::optional(plan);
  for (const plan::Step& step : plan.steps) {
    if (step.waits.empty() || !step.child) continue;
    CLEVER_ASSIGN(const auto child, runtime().plans().state(step.child));
    CLEVER_ASSIGN(auto found, asking(*child));
    if (found) return found;
  }
  return std::optional<plan::State>();
}

base::Result<void> RunPlans::hear_of_answer(const plan::State& before,
                                            const base::StopToken& stop) {
  PlanFollower follower(database_.engine(), context_.clock(), before.id);
  const auto nothing = [](const plan::State&, const auto&) { return base::Result<void>(); };
  while (true) {
    CLEVER_TRY(follower.advance(nothing, stop));
    if (follower.state().sequence > before.sequence) return {};
    CLEVER_TRY(follower.wait(stop));
  }
}

base::Result<bool> RunPlans::ask_person(const plan::State& plan, const base::StopToken& stop) {
  const Screen screen = context_.screen();
  if (!screen.can_ask()) return false;
  CLEVER_ASSIGN(const auto found, asking(plan));
  if (!found) return false;
  if (progress_) progress_->pause();
  const auto details = [&](const model::ApprovalItem& item) {
    return approval_details(database_.engine(), *found, item, stop);
  };
  const auto commands = ask_for_approval(screen, *found, details, stop);
  if (progress_) progress_->resume();
  if (!commands.ok()) return commands.error();
  for (const plan::Command& command : *commands) {
    CLEVER_TRY(send_command(runtime().plans(), found->id, new_key(context_), command, stop));
  }
  if (!commands->empty() && found->id != plan.id) CLEVER_TRY(hear_of_answer(plan, stop));
  return answers_all(*commands, *found->approval);
}

base::Result<RunEnd> RunPlans::interrupted() {
  const Answer answer = ask();
  if (answer == Answer::kLeave) return RunEnd::kLeft;
  if (answer == Answer::kCancel) return cancel();
  const base::StopToken insistence = context_.insistence();
  const auto waited = wait_and_land(insistence);
  if (waited.ok()) return RunEnd::kAtRest;
  return insistence.stop_requested() ? RunEnd::kLeft : base::Result<RunEnd>(waited.error());
}

RunPlans::Answer RunPlans::ask() {
  const Screen screen = context_.screen();
  if (!screen.can_ask()) return Answer::kLeave;
  if (progress_) progress_->pause();
  const std::string_view question =
      "\nInterrupted: (g)o on, (c)ancel for good, or Enter to leave it for `agents resume`? ";
  static_cast<void>(screen.error_output(question).ok());
  // Another Ctrl-C leaves the plan too: cancelling is final and needs an explicit answer.
  const auto answer = screen.read_answer(context_.insistence());
  if (!answer.ok()) static_cast<void>(screen.error_output("\n").ok());
  const std::string word = answer.ok() ? answer->value_or("") : "";
  const bool cancels = word == "c" || word == "cancel";
  const bool goes_on = word == "g" || word == "go" || word == "go on";
  if (progress_ && (cancels || goes_on)) progress_->resume();
  if (cancels) return Answer::kCancel;
  return goes_on ? Answer::kGoOn : Answer::kLeave;
}

// A plan is cancelled only once all its work has stopped; another interrupt skips the wait.
base::Result<RunEnd> RunPlans::cancel() {
  const plan::Command command = plan::Cancel{"a person interrupted it"};
  CLEVER_TRY(drive_up_to(plans_.size(), {}));
  for (const model::PlanId& plan : plans_) {
    CLEVER_ASSIGN(const auto state, runtime().plans().state(plan));
    if (state->is_final()) continue;
    CLEVER_TRY(runtime().plans().command(plan, "cancel", command));
  }
  for (const model::PlanId& plan : plans_) CLEVER_TRY(runtime().plans().wait(plan));
  return RunEnd::kCancelled;
}

base::Result<std::vector<plan::State>> RunPlans::states() {
  if (progress_) progress_->pause();
  std::vector<plan::State> states;
  for (const model::PlanId& plan : plans_) {
    CLEVER_ASSIGN(const auto state, runtime().plans().state(plan));
    states.push_back(*state);
  }
  return states;
}

void RunPlans::show_progress() {
  if (progress_) progress_->resume();
}

std::vector<ChangedFile> RunPlans::files(const plan::State& plan) {
  if (!plan.base || plan.tree == plan.base->tree) return {};
  // All plans belong to one project.
  if (!project_) {
    auto found = context_.find_project(plan.project);
    if (!found.ok()) return {};
    project_ = std::move(found).value();
  }
  const auto files = engine::plan_files(runtime().sandboxes(), *project_, plan);
  if (!files.ok()) return {};
  // An interrupted run shows no changes.
  return changed_files(*files, context_.stop()).value_or(std::vector<ChangedFile>());
}

base::Result<plan::Usage> RunPlans::usage(const plan::State& plan) const {
  return usage_of_tree({database_, storage::PlanSummary{.id = plan.id}, plan});
}

}  // namespace clever::service
