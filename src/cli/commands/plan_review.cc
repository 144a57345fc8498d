#include "cli/commands/commands.h"
#include "cli/diff/painted_diff.h"
#include "cli/review/review_session.h"
#include "cli/words.h"
#include "service/commands/plan_act.h"
#include "service/commands/plan_drive_on.h"
#include "service/commands/plan_landing.h"
#include "service/diff/editor.h"
#include "service/plan/reviewed_changes.h"
#include "service/plan/sensitive_words.h"
#include "service/plan/void_approval.h"

namespace clever::cli {
namespace {

base::Result<void> check_terminal(const Invocation& invocation, const Context& context) {
  if (context.screen().can_ask()) return {};
  const std::string plan =
      invocation.words().empty() ? std::string() : " " + invocation.words().front();
  return base::invalid_argument("a review needs a terminal, and there is none: `agents plan hunks" +
                                plan + "` lists the hunks, and `agents plan apply" + plan +
                                " --hunks ID,…` applies those you name");
}

ReviewEffects effects_of(service::ReviewedChanges& changes, Context& context) {
  return {
      .content = [&changes](
                     const diff::FileDiff& file,
                     const std::vector<std::string>& keep) { return changes.content(file, keep); },
      .edit =
          [&context](const diff::FileDiff& file, const std::string& content) {
            return service::edited_text(file.path, content, context, context.screen().foreground);
          },
      .stat = [&changes, &context](
                  const std::vector<std::string>& keep,
                  const std::vector<plan::Choose::Edit>& edits) -> base::Result<std::string> {
        CLEVER_ASSIGN(const service::ReviewedChanges::Part part, changes.only(keep, edits));
        return painted_stat(diff::stat(part.files, context.width()), context.screen().error_look);
      }};
}

// Reports it before the review starts: nothing that the person accepts could land.
base::Result<void> say_if_void(const service::MeantPlan& plan,
                               const service::ReviewedChanges& changes, Context& context) {
  const auto moved = service::moved_on_since(changes.plan_files(), plan.state, context.stop());
  if (moved.empty()) return {};
  const Screen screen = context.screen();
  return screen.error_output(
      painted(service::void_sentence(plan.state, moved), Tone::kWarn, screen.error_look) + "\n" +
      service::void_cure(plan.state) + "\n");
}

Report unchanged(const service::MeantPlan& plan) {
  Report report = service::left_alone(plan.state);
  report.view = {Prose{{{{"Nothing was changed."}}}}};
  return report;
}

base::Result<Report> review(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_terminal(invocation, context));
  CLEVER_ASSIGN(service::MeantPlan plan, service::meant_plan(invocation, context));
  if (const auto ready = service::check_ready(plan.state); !ready.ok())
    return service::refusal(ready.error(), plan);
  if (service::is_applied(plan.state)) return service::landed(plan.state);
  CLEVER_ASSIGN(auto changes, service::ReviewedChanges::open(plan, context));
  if (changes->parts().empty()) {
    return service::refusal(
        base::conflict("plan " + plan.summary.id.to_string() + " changed nothing"), plan);
  }
  CLEVER_TRY(say_if_void(plan, *changes, context));
  const Screen screen = context.screen();
  CLEVER_TRY(screen.say({service::sensitive_prose(changes->sensitive(changes->files()))}));
  ReviewSession session(changes->parts(), screen, effects_of(*changes, context), context.stop());
  CLEVER_ASSIGN(const ReviewOutcome outcome, session.run());
  if (outcome.end == ReviewOutcome::End::kQuit) return unchanged(plan);
  if (outcome.end == ReviewOutcome::End::kHandBack) {
    changes.reset();
    plan::Prompt prompt{.message = {model::Role::kUser, {model::Text{outcome.notes}}}};
    return service::drive_on(std::move(plan), std::move(prompt), invocation, context);
  }
  return service::land_part(std::move(plan), std::move(changes), outcome.keep, outcome.edits, {},
                            context);
}

}  // namespace

Command plan_review_command() {
  return {.name = "review",
          .summary = "Review a plan's changes hunk by hunk and apply what you accept",
          .description =
              "Shows one hunk after the other and asks: y accepts, n rejects, e opens the file in "
              "your editor, m TEXT leaves a note for the plan, b goes back, q quits without a "
              "change; ? lists all keys. At the end it shows what would be applied, and asks. The "
              "hunks you accept become their own changeset, pass the same validations as the "
              "whole, and exactly they land.\n\nNeeds a terminal; scripts use `agents plan hunks` "
              "and `agents plan apply --hunks`.",
          .positionals = {service::plan_positional()},
          .options = service::driving_options(),
          .examples = {{"agents plan review", "The newest plan of this folder"},
                       {"agents plan review 01JD", "A given one"}},
          .handler = review};
}

}  // namespace clever::cli
