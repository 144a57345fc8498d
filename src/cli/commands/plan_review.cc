#include "cli/commands/commands.h"
#include "cli/commands/plan_act.h"
#include "cli/commands/plan_drive_on.h"
#include "cli/commands/plan_landing.h"
#include "cli/diff/painted_diff.h"
#include "cli/plan/reviewed_changes.h"
#include "cli/plan/sensitive_words.h"
#include "cli/plan/void_approval.h"
#include "cli/review/editor.h"
#include "cli/review/review_session.h"

namespace clever::cli {
namespace {

base::Result<void> check_terminal(const Invocation& invocation, const Context& context) {
  if (context.screen().can_ask()) return {};
  const std::string plan =
      invocation.words().empty() ? std::string() : " " + invocation.words().front();
  return base::invalid_argument(
      "a review asks hunk by hunk, which needs a terminal; without one `agents plan hunks" + plan +
      "` lists the hunks, and `agents plan apply" + plan + " --hunks ID,…` lands those you name");
}

ReviewWorld world_of(ReviewedChanges& changes, Context& context) {
  return {
      .content = [&changes](
                     const diff::FileDiff& file,
                     const std::vector<std::string>& keep) { return changes.content(file, keep); },
      .edit = [&context](
                  const diff::FileDiff& file,
                  const std::string& content) { return edited_text(file.path, content, context); },
      .stat = [&changes, &context](
                  const std::vector<std::string>& keep,
                  const std::vector<plan::Choose::Edit>& edits) -> base::Result<std::string> {
        CLEVER_ASSIGN(const ReviewedChanges::Part part, changes.only(keep, edits));
        return painted_stat(diff::stat(part.files, context.width()), context.screen().error_look);
      }};
}

// Said before anybody looks: what they accept could not land.
base::Result<void> say_if_void(const MeantPlan& plan, const ReviewedChanges& changes,
                               Context& context) {
  const auto moved = moved_on_since(changes.plan_files(), plan.state, context.stop());
  if (moved.empty()) return {};
  const Screen screen = context.screen();
  return screen.error_output(
      painted(void_sentence(plan.state, moved), Tone::kWarn, screen.error_look) + "\n" +
      void_cure(plan.state) + "\n");
}

Report unchanged(const MeantPlan& plan) {
  Report report = left_alone(plan.state);
  report.view = {Prose{{{{"Nothing was changed."}}}}};
  return report;
}

base::Result<Report> review(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_terminal(invocation, context));
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  if (const auto ready = check_ready(plan.state); !ready.ok()) return refusal(ready.error(), plan);
  if (is_applied(plan.state)) return landed(plan.state);
  CLEVER_ASSIGN(auto changes, ReviewedChanges::open(plan, context));
  if (changes->parts().empty()) {
    return refusal(base::conflict("plan " + plan.summary.id.to_string() + " changed nothing"),
                   plan);
  }
  CLEVER_TRY(say_if_void(plan, *changes, context));
  const Screen screen = context.screen();
  CLEVER_TRY(screen.error_output(
      painted_sensitive(changes->sensitive(changes->files()), screen.error_look)));
  ReviewSession session(changes->parts(), screen, world_of(*changes, context), context.stop());
  CLEVER_ASSIGN(const ReviewOutcome outcome, session.run());
  if (outcome.end == ReviewOutcome::End::kQuit) return unchanged(plan);
  if (outcome.end == ReviewOutcome::End::kHandBack) {
    changes.reset();
    plan::Prompt told{.message = {model::Role::kUser, {model::Text{outcome.notes}}}};
    return drive_on(std::move(plan), std::move(told), invocation, context);
  }
  return land_part(std::move(plan), std::move(changes), outcome.keep, outcome.edits, {}, context);
}

}  // namespace

Command plan_review_command() {
  return {.name = "review",
          .summary = "Go through what a plan would change, hunk by hunk, and land what you accept",
          .description =
              "Shows one part after the other and asks: y accepts, n rejects, e opens the file in "
              "your editor, m TEXT notes something for the plan, b goes back, q leaves everything "
              "as it is; ? shows all of them. At the end it shows what would land, and asks. What "
              "you accepted becomes a changeset of its own, is checked as the whole was, and "
              "exactly that lands.\n\n"
              "Needs a terminal; scripts use `agents plan hunks` and `agents plan apply --hunks`.",
          .positionals = {plan_positional()},
          .options = driving_options(),
          .examples = {{"agents plan review", "The newest plan of this folder"},
                       {"agents plan review 01JD", "A certain one"}},
          .handler = review};
}

}  // namespace clever::cli
