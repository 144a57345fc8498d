#include <algorithm>

#include "diff/merge.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/landing.h"
#include "engine/effects/internal/messages.h"
#include "engine/hooks.h"
#include "engine/plan_execution_context.h"
#include "git/snapshot.h"
#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

constexpr std::chrono::minutes kHooks{10};

model::ApplyEnded constrained(const base::Sha256Digest& digest, std::string reason) {
  return {.digest = digest, .reason = std::move(reason)};
}

/// Applies the reviewed changes to the project, all or nothing.
class ApplyRun final : public BlockingEffect {
 public:
  ApplyRun(const EffectParts& parts, std::shared_ptr<Messages> messages)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        messages_(std::move(messages)),
        project_(parts.project),
        applies_(parts.applies),
        secrets_(parts.secrets) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    CLEVER_ASSIGN(const auto project, project_(order.plan->project, order.stop));
    CLEVER_ASSIGN(apply::Request request,
                  landing_of(*order.plan, workspaces_, *messages_, applies_));
    CLEVER_TRY(apply::recover(request.project, applies_, order.stop));
    plan::ApplyCame came{.effect = order.id};
    // A killed process may have landed the changes without recording it: then no hook is asked
    // again.
    CLEVER_ASSIGN(const auto before, apply::landed(request));
    if (before) {
      came.outcome = apply_ended(request, *before);
      return came;
    }
    CLEVER_ASSIGN(const SensitiveVerdict verdict,
                  sensitive_verdict(*order.plan, workspaces_, order.stop));
    std::string objection = verdict.denied;
    if (objection.empty()) {
      CLEVER_ASSIGN(objection, ask_plan_hooks(order, project->commands.get()));
    }
    if (objection.empty()) {
      CLEVER_ASSIGN(objection, ask_hooks(request, project->launcher, order.stop));
    }
    if (!objection.empty()) {
      came.outcome = constrained(request.digest, objection);
      return came;
    }
    CLEVER_ASSIGN(const apply::Outcome outcome, apply::apply(request, order.stop));
    came.outcome = apply_ended(request, outcome);
    const bool moved =
        outcome.kind == apply::Outcome::Kind::kConstrained && !outcome.moved_on.empty();
    if (moved && order.plan->apply->remerge) CLEVER_TRY(remerge(order, request, came));
    return came;
  }

 private:
  // Runs the hooks in a copy of the work, so that they see what would land.
  base::Result<std::string> ask_plan_hooks(const EffectOrder& order, tool::CommandWorld* commands) {
    if (!has_hooks(*order.plan, "apply.before")) return std::string();
    if (commands == nullptr) return std::string("hooks cannot run here");
    CLEVER_ASSIGN(const auto copy, workspaces_.copy(*order.plan, order.lease));
    return objection_to_apply(*order.plan, hooks_in(*commands, *copy, secrets_), order.stop);
  }

  // Runs the repository's commit hooks. Returns their objection, or nothing; takes over the message
  // that they wrote.
  base::Result<std::string> ask_hooks(apply::Request& request, const confine::Launcher& launcher,
                                      const base::StopToken& stop) {
    const bool commits =
        request.mode != apply::Mode::kWorkingTree &&
        (request.project.kind == git::ProjectKind::kRepository || !request.project.members.empty());
    if (!request.run_hooks || !commits) return std::string();
    const auto deadline = base::Deadline::after(scheduler().clock(), kHooks);
    CLEVER_ASSIGN(apply::HookResult hooks,
                  apply::run_commit_hooks(request, launcher, stop, deadline));
    if (!hooks.passed) return "a commit hook refuses the commit:\n" + hooks.output;
    if (hooks.changed) {
      return "a commit hook changed files after your review:\n" + hooks.output;
    }
    request.message = std::move(hooks.message);
    return std::string();
  }

  static model::ApplyEnded apply_ended(const apply::Request& request,
                                       const apply::Outcome& outcome) {
    model::ApplyEnded ended = constrained(request.digest, outcome.reason);
    ended.applied = outcome.kind != apply::Outcome::Kind::kConstrained;
    if (outcome.commit) ended.commit = outcome.commit->to_hex();
    for (const model::NetChange& change : request.changes) {
      if (ended.applied) ended.files.push_back(change.path);
    }
    ended.moved_on = sentences(outcome.moved_on);
    ended.projects = commits_of(outcome);
    return ended;
  }

  // Merges the plan's work into the present project, which gives another base, changeset and
  // digest. Only on the branch where the plan started.
  base::Result<void> remerge(const EffectOrder& order, const apply::Request& request,
                             plan::ApplyCame& came) const {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const git::BaseSnapshot now,
                  git::snapshot_working_tree(request.project, *request.store, order.stop));
    const model::BaseTaken taken = base_taken(request.project, now);
    if (taken.branch != plan.base->branch) return {};
    if (!std::ranges::equal(taken.projects, plan.base->projects, {}, &model::ProjectHead::branch,
                            &model::ProjectHead::branch)) {
      return {};
    }
    CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(plan.base->tree));
    CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(plan.tree));
    CLEVER_ASSIGN(
        const diff::Merged merged,
        diff::merge(*request.store, now.tree, {{.name = "plan", .base = base, .tree = tree}},
                    diff::MergeStrategy::kGitThreeWay, order.stop));
    if (!merged.clean()) {
      came.outcome.reason = "merging with the present files meets conflicts in";
      for (const auto& conflict : merged.conflicts) came.outcome.reason += " " + conflict.path;
      return {};
    }
    CLEVER_TRY(request.store->sync(order.stop));
    CLEVER_ASSIGN(auto changes, tool::changes_between(*request.store, now.tree, merged.tree,
                                                      {"remerge", plan.decision}));
    order.context->start_changeset(plan.decision).record(std::move(changes));
    came.remerged_tree = merged.tree.to_hex();
    came.remerged_base = taken;
    return {};
  }

  Workspaces& workspaces_;
  const std::shared_ptr<Messages> messages_;
  const OpenProjectParts project_;
  const std::filesystem::path applies_;
  const base::Secrets* const secrets_;
};

}  // namespace

std::unique_ptr<Effect> make_apply_run(const EffectParts& parts,
                                       std::shared_ptr<Messages> messages) {
  return std::make_unique<ApplyRun>(parts, std::move(messages));
}

}  // namespace clever::engine::internal
