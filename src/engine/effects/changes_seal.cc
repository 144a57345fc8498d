#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/landing.h"
#include "engine/effects/internal/net_work.h"
#include "engine/effects/internal/secret_changes.h"
#include "storage/changesets.h"

namespace clever::engine::internal {
namespace {

/// Computes a plan's digest over the net of all changesets: the difference between base and tree.
/// That net becomes the entries of the plan's own changeset.
class ChangesSeal final : public BlockingEffect {
 public:
  explicit ChangesSeal(const EffectParts& parts)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        changesets_(parts.database),
        secrets_(parts.secrets) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const std::string name, text_in(order.data, "changeset"));
    CLEVER_ASSIGN(const model::ChangesetId changeset, model::ChangesetId::parse(name));
    CLEVER_ASSIGN(const auto entries, changesets_.entries(changeset, order.stop));
    CLEVER_ASSIGN(const auto store, workspaces_.store(plan));
    if (secrets_ != nullptr) {
      CLEVER_TRY(check_no_new_secret(plan, *store, *secrets_, order.stop));
    }
    CLEVER_ASSIGN(const auto wanted, net_work(plan, *store));
    CLEVER_ASSIGN(auto missing, missing_entries(entries, wanted, plan.decision));
    plan::Sealed sealed{
        .effect = order.id, .digest = model::digest_of(wanted), .missing = std::move(missing)};
    // A subplan lands with its root, which checks its changes.
    if (plan.parent) return sealed;
    CLEVER_ASSIGN(const SensitiveVerdict verdict, sensitive_verdict(plan, workspaces_, order.stop));
    sealed.held = verdict.asked;
    return sealed;
  }

 private:
  Workspaces& workspaces_;
  storage::Changesets changesets_;
  const base::Secrets* const secrets_;
};

}  // namespace

std::unique_ptr<Effect> make_changes_seal(const EffectParts& parts) {
  return std::make_unique<ChangesSeal>(parts);
}

}  // namespace clever::engine::internal
