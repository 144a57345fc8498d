#include "service/plan/reviewed_changes.h"

#include <algorithm>

#include "engine/choice.h"
#include "git/tree.h"
#include "model/control_events.h"
#include "plan/edits.h"
#include "service/commands/plan_act.h"
#include "service/retention.h"

namespace clever::service {
namespace {

bool is_review(const plan::State::Checkpoint& point) { return point.why == "review"; }

// One key per choice, the same for every caller; a later retry gets a new one.
std::string key_of(const plan::State& plan, const plan::Choose& choice) {
  std::vector<std::string> keep = choice.keep;
  std::ranges::sort(keep);
  std::string all = plan::edits_to_json(choice.edits);
  for (const std::string& id : keep) all += " " + id;
  return "choose/" + choice.reviewed.to_hex() + "/" + std::to_string(plan.sequence) + "/" +
         base::sha256(all).to_hex();
}

bool is_sealed_as(const plan::State& state, const git::ObjectId& tree) {
  return state.changeset.digest && state.tree == tree.to_hex();
}

// Also returns true if the plan landed, or is about to, for another caller.
bool can_land(const plan::State& state) {
  using enum model::PlanState;
  return state.is_ready_to_apply() || state.state == kApplied ||
         (state.phase == model::Phase::kApply && state.state == kProcessing);
}

Report not_as_chosen(const plan::State& state) {
  Report report;
  report.status = Status::kError;
  report.exit_code = exit_code_of(state);
  if (report.exit_code == ExitCode::kOk) report.exit_code = ExitCode::kConflict;
  report.data.set("plan_id", state.id.to_string())
      .set("phase", to_string(state.phase))
      .set("state", to_string(state.state))
      .set("digest",
           state.changeset.digest ? Document(state.changeset.digest->to_hex()) : Document())
      .set("reason", state.reason);
  report.messages.push_back(
      {Message::Level::kError, "your choice was not applied: plan " + state.id.to_string() +
                                   " is in " + place_of(state) +
                                   (state.reason.empty() ? "" : ": " + state.reason)});
  for (const std::string& step : next_steps(state)) {
    report.messages.push_back({Message::Level::kHint, "next: `" + step + "`"});
  }
  return report;
}

}  // namespace

base::Result<LeftOut> left_out(const plan::State& plan) {
  const auto& points = plan.checkpoints;
  const auto last = std::find_if(points.rbegin(), points.rend(), is_review);
  const auto before = std::find_if_not(last, points.rend(), is_review);
  if (before == points.rend()) {
    return base::not_found(
        "nothing was left out of plan " + plan.id.to_string() +
        "; `agents plan apply --hunks` and `agents plan review` leave parts out");
  }
  CLEVER_ASSIGN(const git::ObjectId kept, git::ObjectId::from_hex(last->tree));
  CLEVER_ASSIGN(const git::ObjectId whole, git::ObjectId::from_hex(before->tree));
  return LeftOut{kept, whole, last->sequence};
}

base::Result<std::optional<base::Sha256Digest>> reviewed_before(const MeantPlan& plan,
                                                                Context& context) {
  const auto choice = left_out(plan.state);
  if (!choice.ok()) return std::optional<base::Sha256Digest>();
  // The event is recorded right before the work that it caused.
  CLEVER_ASSIGN(const auto events,
                all_events(plan.database, plan.summary.id, context, choice->sequence - 1));
  if (events.empty() || events.front().kind != model::ChangesChosen::kKind) {
    return std::optional<base::Sha256Digest>();
  }
  CLEVER_ASSIGN(const auto chosen, model::ChangesChosen::parse(events.front().data));
  return std::optional(chosen.reviewed);
}

base::Result<std::unique_ptr<ReviewedChanges>> ReviewedChanges::open(const MeantPlan& plan,
                                                                     Context& context) {
  CLEVER_TRY(check_files_kept(plan.database.engine(), plan.state, context));
  CLEVER_ASSIGN(auto look, PlanLook::open(plan.database, context));
  CLEVER_ASSIGN(engine::PlanFiles files, look->files(plan.state));
  std::unique_ptr<ReviewedChanges> changes(
      new ReviewedChanges(std::move(look), std::move(files), plan.state, context));
  const engine::PlanFiles& opened = changes->plan_files_;
  CLEVER_ASSIGN(changes->diffs_,
                diff::diff_trees(*opened.store, opened.base, opened.tree, {}, context.stop()));
  changes->parts_ = choosables(changes->diffs_);
  return changes;
}

base::Result<std::vector<Choosable>> ReviewedChanges::dropped() {
  const auto choice = left_out(plan_);
  if (!choice.ok()) return std::vector<Choosable>();
  CLEVER_ASSIGN(dropped_, diff::diff_trees(*plan_files_.store, choice->kept, choice->whole, {},
                                           context_.stop()));
  return choosables(dropped_);
}

base::Result<ReviewedChanges::Part> ReviewedChanges::only(
    const std::vector<std::string>& keep, const std::vector<plan::Choose::Edit>& edits) {
  CLEVER_ASSIGN(const engine::ChosenWork work,
                engine::choose_work(*plan_files_.store, plan_files_.base, plan_files_.tree, keep,
                                    edits, context_.stop()));
  CLEVER_ASSIGN(auto files, diff::diff_trees(*plan_files_.store, plan_files_.base, work.tree, {},
                                             context_.stop()));
  return Part{work.tree, std::move(files)};
}

base::Result<std::string> ReviewedChanges::content(const diff::FileDiff& file,
                                                   const std::vector<std::string>& keep) {
  CLEVER_ASSIGN(const engine::ChosenWork work,
                engine::choose_work(*plan_files_.store, plan_files_.base, plan_files_.tree, keep,
                                    {}, context_.stop()));
  for (const std::string& path : {file.path, file.from.value_or(file.path)}) {
    CLEVER_ASSIGN(const git::TreePath place, git::TreePath::parse(path));
    CLEVER_ASSIGN(const auto node, git::find(*plan_files_.store, work.tree, place));
    if (node) return plan_files_.store->blob(node->id);
  }
  return std::string();
}

base::Result<Narrowed> narrow(const MeantPlan& plan, ReviewedChanges& changes,
                              const std::vector<std::string>& keep,
                              const std::vector<plan::Choose::Edit>& edits, Context& context) {
  CLEVER_ASSIGN(const ReviewedChanges::Part part, changes.only(keep, edits));
  if (is_sealed_as(plan.state, part.tree)) return Narrowed{plan.state};
  const plan::Choose choice{.reviewed = *plan.state.changeset.digest, .keep = keep, .edits = edits};
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  const auto sent = actor->send(key_of(plan.state, choice), choice);
  if (!sent.ok()) {
    // Another caller has just made the same choice.
    CLEVER_ASSIGN(plan::State now, plan.database.state(plan.summary.id));
    if (is_sealed_as(now, part.tree)) return Narrowed{std::move(now)};
    return Narrowed{std::move(now), refusal(sent.error(), plan)};
  }
  CLEVER_ASSIGN(plan::State state, actor->wait());
  if (is_sealed_as(state, part.tree) && can_land(state)) return Narrowed{std::move(state)};
  Report stopped = not_as_chosen(state);
  return Narrowed{std::move(state), std::move(stopped)};
}

}  // namespace clever::service
