#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/commands/plan_act.h"
#include "service/commands/plan_landing.h"
#include "service/plan/reviewed_changes.h"
#include "service/text.h"

namespace clever::service {
namespace {

Report chosen(const plan::State& plan, const base::Sha256Digest& reviewed, std::size_t kept,
              std::size_t all) {
  Report report;
  report.data = landing_document(plan);
  report.data.set("chosen", chosen_document(reviewed, kept, all, 0));
  const std::string id = plan.id.to_string();
  report.view = {
      Prose{{{{"kept " + std::to_string(kept) + " of " + counted(all, "hunk"), Tone::kGood},
              {" of plan " + id}},
             {{"next: ", Tone::kDim},
              {"agents apply " + id + " --digest " + plan.changeset.digest->to_hex().substr(0, 12),
               Tone::kStrong}}}}};
  return report;
}

base::Result<Report> choose(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::string digest, typed_digest(invocation));
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  CLEVER_TRY(wait_for_choice(plan, context));
  if (const auto ready = check_ready(plan.state); !ready.ok()) return refusal(ready.error(), plan);
  CLEVER_ASSIGN(auto changes, ReviewedChanges::open(plan, context));
  const auto& words = invocation.words();
  const auto keep = chosen_ids({words.begin() + 1, words.end()}, changes->parts());
  if (!keep.ok()) return refusal(keep.error(), plan);
  const std::size_t all = changes->parts().size();
  const auto same = check_reviewed(plan, digest, keep->size() == all, context);
  if (!same.ok()) return refusal(same.error(), plan);
  const base::Sha256Digest reviewed = *plan.state.changeset.digest;
  CLEVER_ASSIGN(Narrowed narrowed, narrow(plan, *changes, *keep, {}, context));
  if (narrowed.stopped) return *std::move(narrowed.stopped);
  return chosen(narrowed.state, reviewed, keep->size(), all);
}

Positional plan_to_choose_from() {
  Positional plan = plan_positional();
  plan.summary = "Its id, or how that begins or ends";
  plan.required = true;
  return plan;
}

}  // namespace

Command plan_choose_command() {
  return {
      .name = "choose",
      .summary = "Keep only some hunks of a plan's changes",
      .description =
          "Leaves all other hunks out of what `agents plan apply` would apply: those that you keep "
          "become a changeset with a digest of its own and pass the same validations as the whole. "
          "`agents plan diff --dropped` still shows the rest. The answer has the new digest.",
      .positionals = {plan_to_choose_from(),
                      {.name = "HUNK",
                       .summary = "The id of a hunk, or a path (`agents plan hunks` lists them)",
                       .repeated = true}},
      .options = {{.name = "digest",
                   .value = "DIGEST",
                   .summary = "Choose only from changes with this digest, as reviewed"},
                  plan_database_option()},
      .examples = {{"agents plan choose 01JD 3f9a1c02 src/parser.cc", "One hunk and one file"}},
      .handler = choose};
}

}  // namespace clever::service
