#include <algorithm>
#include <optional>
#include <utility>

#include "base/random.h"
#include "base/ulid.h"
#include "config/settings.h"
#include "engine/actor/action.h"
#include "engine/actor/image.h"
#include "engine/actor/new_plan.h"
#include "git/project.h"
#include "git/snapshot.h"
#include "service/caller.h"
#include "service/commands/commands.h"
#include "service/commands/plan_act.h"
#include "service/commands/plan_background.h"
#include "service/commands/run_from_plan.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_race.h"
#include "service/commands/run_report.h"
#include "service/commands/run_request.h"
#include "service/plan/agent_binding.h"
#include "service/plan/control_settings.h"
#include "service/plan/kept_sessions.h"
#include "service/plan/plan_caps.h"
#include "service/plan/rule_warnings.h"
#include "service/work_folder.h"
#include "storage/sessions.h"

namespace clever::service {
namespace {

/// Runs one `agents run`, from the request to the report.
class RunCommand {
 public:
  RunCommand(const Invocation& invocation, RunRequest request, const PlanDatabase& database,
             config::Settings settings, Context& context)
      : invocation_(invocation),
        request_(std::move(request)),
        database_(database),
        settings_(std::move(settings)),
        context_(context),
        ids_(context.clock(), random_) {}

  base::Result<Report> run() {
    CLEVER_ASSIGN(project_, project_to_work_on());
    auto actions = engine::ActionCatalog::load({context_.home() / "actions"},
                                               {project_.root / ".cleveragents" / "actions"});
    if (!actions.ok()) return blame_file(actions.error());
    actions_ = *std::move(actions);
    rules_.emplace(context_, settings_, project_.root);
    CLEVER_ASSIGN(plans_, RunPlans::open(database_, run_options(), context_));
    CLEVER_TRY(join_session());
    CLEVER_ASSIGN(const auto commands, new_plans());
    CLEVER_TRY(ensure_session_cap());
    CLEVER_TRY(create(commands));
    CLEVER_TRY(tell_session());
    return request_.detach ? detach() : wait();
  }

 private:
  bool is_race() const { return !request_.racers.empty(); }

  // Returns the project of the working directory, or those of --project: one project with its own
  // settings; several with the person's settings, which each project may only tighten.
  base::Result<git::Project> project_to_work_on() {
    const std::vector<std::string> given = invocation_.values("project");
    if (given.empty()) return work_project(invocation_, context_);
    if (invocation_.flag("here")) {
      return base::invalid_argument(
          "--here and --project exclude each other: each --project names a git repository");
    }
    std::vector<std::filesystem::path> folders;
    for (const std::string& folder : given) folders.push_back(context_.directory() / folder);
    CLEVER_ASSIGN(settings_, context_.settings_in(folders.front()));
    CLEVER_ASSIGN(git::Project found, given.size() == 1
                                          ? git_repository(folders.front(), settings_, context_)
                                          : project_group(folders, context_));
    if (given.size() > 1) {
      CLEVER_ASSIGN(settings_, context_.settings_in(found.root));
    }
    return found;
  }

  // A single plan lands by itself; several land in their order, whatever their profiles.
  bool lands_in_order() const {
    const bool several = request_.tasks.size() > 1 || request_.lands_specially;
    return request_.apply && several && !is_race();
  }

  RunPlans::Options run_options() const {
    RunPlans::Options options{.workplace = answers_of(invocation_, context_),
                              .tasks = request_.tasks.size(),
                              .shows_progress = !request_.detach,
                              .drives = !request_.detach,
                              .most_plans = most_plans(settings_)};
    if (invocation_.flag("project")) options.workplace.project = project_.root;
    if (lands_in_order()) options.apply = request_.apply;
    return options;
  }

  // --session: its budget pays, and its next message goes to this plan.
  base::Result<void> join_session() {
    const auto id = invocation_.value("session");
    if (!id) return {};
    if (request_.tasks.size() != 1) {
      return base::invalid_argument(
          "--session takes one task: each plan of a session answers one "
          "message");
    }
    CLEVER_ASSIGN(kept_session_, find_session(database_, std::string(*id), context_));
    if (kept_session_->project != project_.root.string()) {
      return base::invalid_argument("--session: it works on " + kept_session_->project + ", not " +
                                    project_.root.string());
    }
    session_ = session_of_plans(kept_session_->id);
    return {};
  }

  // The task is what the person said.
  base::Result<void> tell_session() {
    if (!kept_session_) return {};
    storage::Sessions sessions(database_.engine());
    CLEVER_ASSIGN(const auto said, sessions.say(kept_session_->id, person_name(context_),
                                                request_.tasks.front().task, context_.stop()));
    return sessions.set_plan(kept_session_->id, said.number, plans_->plans().front(),
                             context_.stop());
  }

  // All of them, before the first is made: a mistake in the last task starts nothing.
  base::Result<std::vector<plan::Create>> new_plans() {
    if (request_.tasks.size() > 1) session_ = ids_.next().to_string();
    std::vector<plan::Create> commands;
    for (const TaskRequest& task : request_.tasks) {
      CLEVER_ASSIGN(plan::Create command, new_plan(task));
      // No racer lands by itself: one of them is chosen.
      if (is_race()) {
        command.title = racer_name(request_.racers.at(commands.size())) + ": " + command.title;
        command.settings.apply_when_ready = false;
        if (request_.choose == "validation") CLEVER_TRY(check_validations(command));
      }
      commands.push_back(std::move(command));
    }
    return commands;
  }

  base::Result<void> create(const std::vector<plan::Create>& commands) {
    if (request_.detach && can_be_queued(invocation_, context_)) {
      CLEVER_ASSIGN(is_queued_, goes_to_worker(database_.engine(), context_));
    }
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const bool has_job = is_queued_ && (!lands_in_order() || i + 1 == commands.size());
      const auto with = [this](const model::PlanId& plan) { return job_with(plan); };
      CLEVER_TRY(plans_->create(commands[i], plan_caps(request_.tasks[i]),
                                has_job ? with : engine::PlanEngine::With()));
    }
    return {};
  }

  // The job of a plan that is about to be made; of those that land in order, of all of them.
  base::Result<storage::UnitOfWork> job_with(const model::PlanId& plan) {
    PlanJob job;
    if (lands_in_order()) job.plans = plans_->plans();
    if (lands_in_order()) job.apply = *request_.apply;
    job.plans.push_back(plan);
    return first_job(job, priority(), context_);
  }

  static base::Result<void> check_validations(const plan::Create& command) {
    const auto& all = command.settings.control.validations;
    if (std::ranges::any_of(all, &model::Validation::required)) return {};
    return base::invalid_argument(
        "--choose validation needs a required validation to choose by: add --validate CMD, or "
        "`agents validation add`");
  }

  base::Result<void> check_start(const TaskRequest& task) const {
    if (task.from.empty()) return {};
    auto commit = git::find_commit(project_, task.from, context_.stop());
    if (!commit.ok()) return std::move(commit).error().add_context("--from");
    return {};
  }

  base::Result<plan::Create> new_plan(const TaskRequest& task) {
    if (task.from_plan.empty()) return new_plan(task, {});
    CLEVER_ASSIGN(const ContinuedPlan earlier,
                  continued_plan(database_, task.from_plan, project_, context_));
    const bool says_what = !task.task.empty() || !task.action.empty() || !task.actor.empty();
    CLEVER_ASSIGN(plan::Create command,
                  says_what ? new_plan(task, earlier.words) : plan_as_is(earlier));
    command.settings.from_plan = earlier.state.id;
    return command;
  }

  // Made as the earlier plan was, from the settings as they are now.
  base::Result<plan::Create> plan_as_is(const ContinuedPlan& earlier) {
    plan::Create command = create_as_is(earlier);
    command.settings.session = session_;
    command.settings.apply_when_ready = request_.apply.has_value() && !lands_in_order();
    CLEVER_ASSIGN(const engine::Action action, actions_.find("local/task"));
    CLEVER_TRY(control(command.settings, action));
    return command;
  }

  base::Result<void> control(model::PlanSettings& settings, const engine::Action& action) {
    CLEVER_TRY(add_control(context_,
                           {.settings = settings_,
                            .action = action,
                            .project = project_.root,
                            .members = project_.members,
                            .invariants = invocation_.values("invariant"),
                            .validations = invocation_.values("validate")},
                           settings));
    return rules_->check(settings.control);
  }

  // `after`: words for the worker beyond the task.
  base::Result<plan::Create> new_plan(const TaskRequest& task, const std::string& after) {
    CLEVER_TRY(check_start(task));
    CLEVER_ASSIGN(const engine::Action action,
                  actions_.find(task.action.empty() ? "local/task" : task.action));
    engine::NewPlanOptions options{.task = task.task,
                                   .project = project_.root.string(),
                                   .model = task.model,
                                   .actor = task.actor,
                                   .agent = task.agent,
                                   .usual_agent = settings_.text("plan.agent"),
                                   .arguments = task.arguments,
                                   .profile = task.profile,
                                   .usual_profile = settings_.text("plan.profile"),
                                   .direct = task.direct,
                                   .from = task.from,
                                   .apply = request_.apply.has_value() && !is_race(),
                                   .consent = true,
                                   .session = session_,
                                   .subplans = engine::subplan_settings(settings_),
                                   .as_run = agents_as_run(context_)};
    for (const std::filesystem::path& image : task.images) {
      auto loaded = engine::load_image(image);
      if (!loaded.ok()) return std::move(loaded).error().add_context("--image");
      options.images.push_back(*std::move(loaded));
    }
    const PlanParts parts = plans_->parts();
    CLEVER_ASSIGN(plan::Create command,
                  engine::new_plan(action, parts.actors, options, parts.terms));
    if (lands_in_order()) command.settings.apply_when_ready = false;
    if (!after.empty()) command.prompt.parts.emplace_back(model::Text{after});
    CLEVER_TRY(control(command.settings, action));
    for (std::string& sentence : unbound_agents(parts.actors, command.settings, context_)) {
      rules_->say(std::move(sentence));
    }
    return command;
  }

  storage::Caps plan_caps(const TaskRequest& task) const {
    storage::Caps caps = caps_of(settings_, "plan");
    if (request_.budget) caps.money = *request_.budget;
    if (task.budget) caps.money = *task.budget;
    return caps;
  }

  // Caps what several tasks may cost together.
  base::Result<void> ensure_session_cap() {
    if (session_.empty()) return {};
    storage::Caps caps = caps_of(settings_, "session");
    // A kept session has a budget of its own; --budget is the plan's then.
    if (request_.budget && !kept_session_) caps.money = *request_.budget;
    return plans_->runtime().store().ensure_cap("session/" + session_, caps);
  }

  base::Result<Report> wait() {
    CLEVER_ASSIGN(RunEnd end, plans_->run());
    RaceChoice choice;
    if (end == RunEnd::kAtRest && !request_.choose.empty()) {
      CLEVER_ASSIGN(choice, choose(end));
      if (choice.winner && request_.apply) {
        CLEVER_TRY(
            plans_->apply(plans_->plans().at(*choice.winner), *request_.apply, context_.stop()));
      }
    }
    auto made =
        is_race() ? race_report(*plans_, end, request_.racers, choice) : run_report(*plans_, end);
    CLEVER_ASSIGN(Report report, std::move(made));
    rules_->report(plans_->answered_servers(), report);
    if (invocation_.flag("print")) CLEVER_TRY(show_answers(report));
    return report;
  }

  base::Result<RaceChoice> choose(RunEnd& end) {
    CLEVER_ASSIGN(const auto states, plans_->states());
    if (request_.choose != "validation") return choose_by_model(states, end);
    std::vector<RaceResult> results;
    for (const plan::State& state : states) {
      CLEVER_ASSIGN(const plan::Usage usage, plans_->usage(state));
      results.push_back({state, usage.cost});
    }
    return choose_by_validation(results);
  }

  // Runs a plan that may read but not write, paid from the same budget.
  base::Result<RaceChoice> choose_by_model(const std::vector<plan::State>& states, RunEnd& end) {
    std::vector<std::string> diffs;
    for (const plan::State& state : states) {
      CLEVER_ASSIGN(std::string diff, race_diff(*plans_, state, context_.stop()));
      diffs.push_back(std::move(diff));
    }
    if (std::ranges::all_of(diffs, &std::string::empty)) {
      return RaceChoice{.why = "no result is ready to apply"};
    }
    TaskRequest review{.task = review_words(request_.tasks.front().task, request_.racers, diffs),
                       .model = request_.choose,
                       .actor = "local/task",
                       .direct = true};
    CLEVER_ASSIGN(plan::Create command, new_plan(review));
    command.title = "Choose among the results of the race";
    command.settings.read_only = true;
    command.settings.apply_when_ready = false;
    command.settings.control.validations.clear();
    CLEVER_TRY(plans_->create(std::move(command), plan_caps(review)));
    plans_->show_progress();
    CLEVER_ASSIGN(end, plans_->run());
    CLEVER_ASSIGN(const auto all, plans_->states());
    return choice_in(plan_summary(all.back()), request_.racers);
  }

  // Shows each plan's answer instead of the report.
  base::Result<void> show_answers(Report& report) {
    std::string text;
    Document answers = Document::list();
    for (const model::PlanId& plan : plans_->plans()) {
      CLEVER_ASSIGN(const auto entries, log_of_tree(database_, plan, context_));
      const std::string answer = last_answer(entries, plan);
      answers.push(answer);
      text += answer.empty() || answer.ends_with('\n') ? answer : answer + "\n";
    }
    report.data.set("answers", std::move(answers));
    report.view = {Markdown{std::move(text)}};
    return {};
  }

  // Only starts the plans: a worker or a process drives them from their first event on.
  base::Result<Report> detach() {
    CLEVER_ASSIGN(const auto states, plans_->states());
    PlanJob job;
    for (const plan::State& plan : states) job.plans.push_back(plan.id);
    if (lands_in_order()) job.apply = *request_.apply;
    Report warnings;
    rules_->report(plans_->answered_servers(), warnings);
    plans_.reset();
    const auto driver = driver_of(job);
    if (!driver.ok()) return left_alone(driver.error(), states);
    Report report = detached_report(states, *driver);
    report.messages = std::move(warnings.messages);
    if (report.status == Status::kOk) report.status = warnings.status;
    return report;
  }

  worker::Priority priority() const {
    const auto word = invocation_.value("priority");
    if (word == "high") return worker::Priority::kHigh;
    return word == "low" ? worker::Priority::kLow : worker::Priority::kNormal;
  }

  base::Result<Driver> driver_of(const PlanJob& job) {
    if (!is_queued_) return start_driver(job, invocation_, context_);
    CLEVER_ASSIGN(const std::int64_t number,
                  number_of_first_job(database_.engine(), job.plans.back(), context_));
    return Driver{.job = number};
  }

  const Invocation& invocation_;
  const RunRequest request_;
  const PlanDatabase& database_;
  config::Settings settings_;
  Context& context_;
  base::SystemRandom random_;
  base::UlidGenerator ids_;
  git::Project project_;
  engine::ActionCatalog actions_;
  std::string session_;
  // A worker drives them.
  bool is_queued_ = false;
  // Of --session.
  std::optional<storage::SessionRecord> kept_session_;
  std::optional<RuleWarnings> rules_;
  std::unique_ptr<RunPlans> plans_;
};

base::Result<Report> run_tasks(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(RunRequest request, run_request(invocation, context));
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(Report report,
                RunCommand(invocation, std::move(request), database, *settings, context).run());
  note_answers(invocation, report);
  return report;
}

std::vector<Option> run_command_options() {
  std::vector<Option> all = {
      {.name = "file", .value = "TASKS.yaml", .summary = "A file with several tasks"},
      {.name = "each",
       .value = "TASKS.yaml",
       .summary = "The same as --file: a plan for each task, by the agent that --agent names"},
      {.name = "image",
       .value = "FILE",
       .summary = "An image for the task; may be repeated",
       .repeated = true},
      {.name = "model",
       .value = "MODEL",
       .summary = "provider/model, or an alias",
       .completes = Completes::kModel},
      {.name = "actor",
       .value = "ACTOR",
       .summary = "The actor that does the work: local/task, local/codemod, …",
       .completes = Completes::kActor},
      {.name = "agent",
       .value = "AGENT",
       .summary = "The external agent that does the work: claude, codex, … (`agents agent list`)",
       .completes = Completes::kAgent},
      {.name = "race",
       .value = "AGENTS",
       .summary = "Agents that each do the task, such as claude,codex:gpt-5; compares the results",
       .completes = Completes::kAgents},
      {.name = "choose",
       .value = "HOW",
       .summary = "With --race: who chooses: validation, or a model that reviews (else you)"},
      {.name = "arg",
       .value = "KEY=VALUE",
       .summary = "An argument of the actor or action; may be repeated",
       .repeated = true},
      {.name = "action", .value = "ACTION", .summary = "The template to use (default local/task)"},
      {.name = "profile",
       .value = "PROFILE",
       .summary = "What needs your approval: manual, supervised, auto (`agents help profiles`)",
       .completes = Completes::kProfile},
      {.name = "invariant",
       .value = "TEXT",
       .summary = "A sentence that must hold for this plan; may be repeated",
       .repeated = true},
      {.name = "validate",
       .value = "CMD",
       .summary = "A command that must pass before the plan is applied; may be repeated",
       .repeated = true},
      {.name = "project",
       .value = "DIR",
       .summary = "Work on this repository; repeated, on all of them together",
       .repeated = true},
      {.name = "print",
       .letter = 'p',
       .summary = "Print the model's answer alone; progress goes to standard error"},
      {.name = "session",
       .value = "SESSION",
       .summary = "The kept session that the plan belongs to (`agents session list`)"},
      {.name = "direct", .summary = "Start work at once, without a strategy"},
      {.name = "from", .value = "REF", .summary = "Start from this commit, not the working tree"},
      {.name = "from-plan",
       .value = "PLAN",
       .summary =
           "Start from what this plan changed; without a task, only make that ready to apply",
       .completes = Completes::kPlan},
      {.name = "budget", .value = "USD", .summary = "The most it may cost; at that cap it asks"},
      detach_option(),
      {.name = "priority",
       .value = "PRIORITY",
       .summary = "With --detach: which plans a worker takes first (default normal)",
       .choices = {"high", "normal", "low"}},
      here_option()};
  for (const Option& option : landing_options()) all.push_back(option);
  for (const Option& option : answer_options()) all.push_back(option);
  all.push_back(plan_database_option());
  return all;
}

}  // namespace

Command run_command() {
  return {
      .name = "run",
      .summary = "Run a task in a sandbox and show the result for review",
      .description =
          "Turns the task into a plan and works on it in a sandbox. Your files do not change until "
          "you apply the result (`agents diff`, `agents apply`, or --apply). The plan records "
          "every step before it takes the next one, so it survives crashes and kills: `agents "
          "resume` continues it.\n\nSeveral tasks become independent plans under one budget. With "
          "--apply they land in the order given; each is merged with the project as it is by then. "
          "Ctrl-C asks whether to go on, to cancel the plan or to leave it resumable; a second "
          "Ctrl-C leaves it.\n\nExit codes: 0 if every plan is applied or ready to apply, 5 if a "
          "plan needs "
          "you (money, approval, a conflict), 1 if a plan failed or was interrupted.",
      .positionals = {{.name = "TASK",
                       .summary =
                           "The task, in quotes; - reads it from standard input, @FILE from a file",
                       .required = false,
                       .repeated = true}},
      .options = run_command_options(),
      .examples =
          {{"agents run \"Fix the failing test in parser_test.cc\"", "One task"},
           {"agents run --apply -m \"Fix the parser\" @task.md", "From a file, and apply it"},
           {"agents run \"Document the API\" \"Add a --json flag\"", "Two plans at once"},
           {"agents run --file tasks.yaml --budget 3", "Many tasks, three dollars in all"},
           {"agents run --from-plan 01JD \"Also add a test\"",
            "Continue the work of a cancelled plan"},
           {"agents run --actor local/codemod --arg find=Foo --arg replace=Bar",
            "Without a model: replace in all files"},
           {"agents run --agent claude \"Task one\" \"Task two\"",
            "With Claude Code, each in its own sandbox"},
           {"agents run --race claude,codex,gemini \"Fix the parser\"",
            "Three agents on one task, side by side"},
           {"agents run --validate 'make test' --apply \"Speed up the parser\"",
            "Apply it only if the tests pass"},
           {"agents run --detach \"Port the tests\"", "In the background; `agents watch` shows it"},
           {"agents run --project ../api --project ../web \"Rename the field\"",
            "One plan over two repositories; it lands in both or in none"},
           {"git log -5 | agents run --direct --format json -", "For a program, from a pipe"}},
      .handler = run_tasks};
}

}  // namespace clever::service
