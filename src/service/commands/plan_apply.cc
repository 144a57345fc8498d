#include <algorithm>
#include <optional>

#include "diff/tree_diff.h"
#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/commands/plan_act.h"
#include "service/commands/plan_landing.h"
#include "service/plan/reviewed_changes.h"
#include "service/plan/sensitive_words.h"
#include "service/text.h"

namespace clever::service {
namespace {

base::Result<model::ApplyRequested> apply_request(const Invocation& invocation) {
  model::ApplyRequested request;
  if (invocation.flag("no-commit") && invocation.flag("branch")) {
    return base::invalid_argument(
        "--no-commit leaves the files uncommitted, --branch commits them on a new branch: choose "
        "one");
  }
  if (invocation.flag("no-commit")) request.mode = "working_tree";
  if (const auto branch = invocation.value("branch")) {
    request.mode = "branch";
    request.branch = *branch;
  }
  request.message = invocation.value("message").value_or("");
  request.verify = !invocation.flag("no-verify");
  request.remerge = invocation.flag("remerge");
  request.without = invocation.values("without-validation");
  return request;
}

// Shows what would land, and asks.
base::Result<Consent> ask(const std::string& question, const ReviewedChanges& changes,
                          const std::vector<diff::FileDiff>& files, Context& context) {
  const Screen screen = context.screen();
  CLEVER_TRY(screen.say({Changes{.files = files, .shape = DiffShape::kUnified, .paged = true},
                         sensitive_prose(changes.sensitive(files)),
                         Changes{.files = files, .shape = DiffShape::kStat, .paged = false}}));
  CLEVER_ASSIGN(const bool yes, screen.confirm(question, context.stop()));
  return yes ? Consent::kGiven : Consent::kDenied;
}

std::string question_about(const MeantPlan& plan, const std::string& part = {}) {
  return "Apply " + part + "plan " + plan.summary.id.to_string() + " (" +
         one_line(plan.state.title, 60) + ")?";
}

bool is_given(const Invocation& invocation) {
  return invocation.flag("digest") || invocation.flag("yes");
}

base::Result<Consent> consent_to_whole(const MeantPlan& plan, const Invocation& invocation,
                                       Context& context) {
  if (is_given(invocation)) return Consent::kGiven;
  if (!context.screen().can_ask()) return Consent::kNobodyToAsk;
  CLEVER_ASSIGN(const auto changes, ReviewedChanges::open(plan, context));
  return ask(question_about(plan), *changes, changes->files(), context);
}

Report applying_needs_word(const MeantPlan& plan) {
  const std::string id = plan.summary.id.to_string();
  Report report =
      refusal(base::invalid_argument("apply needs your consent: without a terminal, pass --digest "
                                     "with the digest that you reviewed, or --yes"),
              plan);
  report.exit_code = ExitCode::kNeedsPerson;
  report.messages.back() = {Message::Level::kHint,
                            "`agents plan diff " + id + "` shows it, `agents plan apply " + id +
                                " --digest " + plan.state.changeset.digest->to_hex().substr(0, 12) +
                                "` applies it"};
  return report;
}

/// The options of the command line.
struct ApplyWords {
  std::string digest;
  model::ApplyRequested request;
  /// The words of --hunks.
  std::optional<std::vector<std::string>> words{};
};

base::Result<ApplyWords> apply_words(const Invocation& invocation, const Context& context) {
  ApplyWords asked;
  CLEVER_ASSIGN(asked.digest, typed_digest(invocation));
  CLEVER_ASSIGN(asked.request, apply_request(invocation));
  for (const std::string& typed : invocation.values("hunks")) {
    CLEVER_ASSIGN(const auto words, chosen_words(typed, [&](const std::string& name) {
                    return io::read_file(context.directory() / name);
                  }));
    if (!asked.words) asked.words.emplace();
    asked.words->insert(asked.words->end(), words.begin(), words.end());
  }
  if (asked.words && asked.words->empty()) {
    return base::invalid_argument(
        "--hunks names no hunk, so nothing would be applied: `agents plan hunks` lists them, "
        "`agents plan cancel` ends the plan");
  }
  return asked;
}

base::Result<Report> apply_whole(const MeantPlan& plan, ApplyWords asked,
                                 const Invocation& invocation, Context& context) {
  if (const auto ready = check_ready(plan.state); !ready.ok()) return refusal(ready.error(), plan);
  if (const auto same = check_digest(plan.state, asked.digest); !same.ok()) {
    return refusal(same.error(), plan);
  }
  if (is_applied(plan.state)) return landed(plan.state);
  CLEVER_ASSIGN(const Consent answer, consent_to_whole(plan, invocation, context));
  if (answer == Consent::kNobodyToAsk) return applying_needs_word(plan);
  if (answer == Consent::kDenied) return left_alone(plan.state);
  return land(plan, std::move(asked.request), context);
}

base::Result<Consent> consent_to_part(const MeantPlan& plan, ReviewedChanges& changes,
                                      const std::vector<std::string>& keep,
                                      const Invocation& invocation, Context& context) {
  if (is_given(invocation)) return Consent::kGiven;
  if (!context.screen().can_ask()) return Consent::kNobodyToAsk;
  CLEVER_ASSIGN(const ReviewedChanges::Part part, changes.only(keep, {}));
  return ask(question_about(plan, std::to_string(keep.size()) + " of the " +
                                      std::to_string(changes.parts().size()) + " hunks of "),
             changes, part.files, context);
}

base::Result<Report> apply_part(MeantPlan plan, ApplyWords asked, const Invocation& invocation,
                                Context& context) {
  CLEVER_TRY(wait_for_choice(plan, context));
  if (const auto ready = check_ready(plan.state); !ready.ok()) return refusal(ready.error(), plan);
  CLEVER_ASSIGN(auto changes, ReviewedChanges::open(plan, context));
  const auto keep = chosen_ids(*asked.words, changes->parts());
  if (!keep.ok()) return refusal(keep.error(), plan);
  const bool is_all = keep->size() == changes->parts().size();
  const auto same = check_reviewed(plan, asked.digest, is_all, context);
  if (!same.ok()) return refusal(same.error(), plan);
  if (is_applied(plan.state) && is_all) return landed(plan.state);
  CLEVER_ASSIGN(const Consent answer, consent_to_part(plan, *changes, *keep, invocation, context));
  if (answer == Consent::kNobodyToAsk) return applying_needs_word(plan);
  if (answer == Consent::kDenied) return left_alone(plan.state);
  return land_part(std::move(plan), std::move(changes), *keep, {}, std::move(asked.request),
                   context);
}

// Seals the state that a rollback restored, so that it can be applied at once, whatever work is
// left.
base::Result<void> seal_rolled_back(MeantPlan& plan, Context& context) {
  const bool holds_work = plan.state.base && plan.state.base->tree != plan.state.tree;
  if (!plan.state.waits_after_rollback() || !holds_work || plan.state.parent) return {};
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  CLEVER_ASSIGN(const std::string receipt, actor->send(new_key(context), plan::Seal{}));
  CLEVER_ASSIGN(plan.state, actor->wait());
  return {};
}

// Returns true if the plan can land, or a person can make it land: by resolving its conflict, or
// after a rollback.
bool may_land(const plan::State& plan) {
  return plan.is_ready_to_apply() || plan.state == model::PlanState::kConstrained ||
         (plan.waits_after_rollback() && plan.base && plan.base->tree != plan.tree);
}

// Without PLAN: the newest plan of the folder with the given digest; else the newest that may land,
// with undone ones last; else the newest.
base::Result<MeantPlan> plan_to_apply(const Invocation& invocation, const std::string& digest,
                                      Context& context) {
  if (!invocation.words().empty()) return meant_plan(invocation, context);
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto plans,
                database.in_states({"complete", "constrained", "queued", "applied"}));
  std::optional<MeantPlan> undone;
  for (const PlanSummary& each : plans) {
    if (each.state == "applied" && digest.empty()) continue;
    CLEVER_ASSIGN(MeantPlan plan, meant_plan(database, each));
    const auto& sealed = plan.state.changeset.digest;
    if (!digest.empty() && (!sealed || !sealed->to_hex().starts_with(digest))) continue;
    if (!digest.empty() || (may_land(plan.state) && !plan.state.undone)) return plan;
    if (!undone && may_land(plan.state)) undone.emplace(std::move(plan));
  }
  if (undone) return *std::move(undone);
  return meant_plan(invocation, context);
}

base::Result<Report> apply_one(MeantPlan plan, ApplyWords wanted, const Invocation& invocation,
                               Context& context) {
  if (const auto sealed = seal_rolled_back(plan, context); !sealed.ok()) {
    return refusal(sealed.error(), plan);
  }
  if (wanted.words) return apply_part(std::move(plan), std::move(wanted), invocation, context);
  return apply_whole(plan, std::move(wanted), invocation, context);
}

// Returns the ready plans, the oldest first.
base::Result<std::vector<MeantPlan>> all_ready_plans(const Invocation& invocation,
                                                     Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto plans, database.in_states({"complete"}));
  std::vector<MeantPlan> ready;
  for (auto each = plans.rbegin(); each != plans.rend(); ++each) {
    CLEVER_ASSIGN(MeantPlan plan, meant_plan(database, *each));
    if (plan.state.is_ready_to_apply() && !plan.state.undone) ready.push_back(std::move(plan));
  }
  return ready;
}

base::Result<std::vector<MeantPlan>> named_plans(const Invocation& invocation, Context& context) {
  std::vector<MeantPlan> plans;
  for (std::size_t i = 0; i < invocation.words().size(); ++i) {
    CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context, i));
    plans.push_back(std::move(plan));
  }
  return plans;
}

// Merges each plan with the project as it is by then. A plan that does not land does not stop the
// others.
base::Result<Report> apply_several(std::vector<MeantPlan> plans, ApplyWords wanted,
                                   const Invocation& invocation, Context& context) {
  wanted.request.remerge = true;
  Report all;
  Document list = Document::list();
  for (MeantPlan& plan : plans) {
    CLEVER_ASSIGN(Report one, apply_one(std::move(plan), wanted, invocation, context));
    list.push(std::move(one.data));
    std::ranges::move(one.view, std::back_inserter(all.view));
    std::ranges::move(one.messages, std::back_inserter(all.messages));
    if (one.status != Status::kOk) all.status = one.status;
    if (all.exit_code == ExitCode::kOk) all.exit_code = one.exit_code;
  }
  if (plans.empty()) all.view = {Prose{{{{"No plan of this folder is ready to apply."}}}}};
  all.data.set("plans", std::move(list));
  return all;
}

base::Result<Report> apply_plans(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(ApplyWords wanted, apply_words(invocation, context));
  const bool all = invocation.flag("all");
  if (!all && invocation.words().size() < 2) {
    CLEVER_ASSIGN(MeantPlan plan, plan_to_apply(invocation, wanted.digest, context));
    return apply_one(std::move(plan), std::move(wanted), invocation, context);
  }
  if (all && !invocation.words().empty()) {
    return base::invalid_argument(
        "--all applies every plan that is ready: leave out the plan's id");
  }
  if (wanted.words || !wanted.digest.empty() || invocation.flag("branch")) {
    return base::invalid_argument("--hunks, --digest and --branch are for a single plan");
  }
  CLEVER_ASSIGN(auto plans,
                all ? all_ready_plans(invocation, context) : named_plans(invocation, context));
  return apply_several(std::move(plans), std::move(wanted), invocation, context);
}

// PLAN, several times.
Positional plans_positional() {
  Positional plans = plan_positional();
  plans.summary =
      "Its id, or the beginning or end of it; several land in the order given (default: the newest "
      "plan of this folder that is ready)";
  plans.repeated = true;
  return plans;
}

}  // namespace

Command plan_apply_command() {
  return {
      .name = "apply",
      .summary = "Apply a plan's changes to the project",
      .description =
          "Applies all files or none, and exactly what was reviewed: apply checks the digest, and "
          "that the files have not changed since. At a terminal it shows the diff and asks; "
          "without one it needs --digest (at least 8 digits) or --yes. Applying the same digest "
          "again gives the same answer and changes nothing.\n\nSeveral plans land one after "
          "another, each merged with the project as it is by then. One that meets a conflict is "
          "left, and the others land.\n\nWith --hunks it applies only these "
          "hunks: they become their own changeset with its own digest and pass the same "
          "validations as the whole. `agents plan diff --dropped` still shows the rest. --digest "
          "is then the digest of the whole.",
      .positionals = {plans_positional()},
      .options =
          {{.name = "digest",
            .value = "DIGEST",
            .summary = "Apply exactly this digest, as reviewed"},
           {.name = "all",
            .summary = "Apply every plan of this folder that is ready, the oldest first"},
           {.name = "yes", .letter = 'y', .summary = "Skip the question"},
           {.name = "hunks",
            .value = "ID,…|@FILE",
            .summary = "Apply only these, by id or path (`agents plan hunks` lists them)",
            .repeated = true},
           {.name = "no-commit", .summary = "Leave the changes uncommitted"},
           {.name = "branch",
            .value = "NAME",
            .summary = "Commit on a new branch; the working tree stays as it is"},
           {.name = "message", .letter = 'm', .value = "TEXT", .summary = "The commit's message"},
           {.name = "no-verify", .summary = "Do not run commit hooks"},
           {.name = "without-validation",
            .value = "NAME",
            .summary = "Apply although this validation failed or did not run; the audit records it",
            .repeated = true},
           {.name = "remerge",
            .summary =
                "If files in the project have changed, merge with them and apply the result"},
           plan_database_option()},
      .examples = {{"agents plan apply", "Show the diff of the newest plan that is ready, and ask"},
                   {"agents plan apply --all --yes", "Every plan that is ready, in order"},
                   {"agents plan apply 01JD --digest 3f9a1c02",
                    "Exactly what was reviewed, for scripts"},
                   {"agents plan apply --hunks 3f9a1c02,src/parser.cc --yes",
                    "Only one hunk and one file"},
                   {"agents plan apply --yes --branch agents/fix", "On a new branch"}},
      .handler = apply_plans};
}

Command apply_command() {
  Command command = plan_apply_command();
  command.description = "Short for `agents plan apply`.";
  command.examples = {{"agents apply", "Show the diff of the newest plan that is ready, and ask"},
                      {"agents apply --yes -m \"Fix the parser\"", "Without asking"}};
  return command;
}

}  // namespace clever::service
