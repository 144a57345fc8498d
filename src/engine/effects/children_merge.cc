#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/error_recovery_service.h"
#include "engine/plan_execution_context.h"

namespace clever::engine::internal {
namespace {

/// Merges the children's work into the parent's tree.
class ChildrenMerge final : public BlockingEffect {
 public:
  explicit ChildrenMerge(const EffectParts& parts)
      : BlockingEffect(parts.scheduler), workspaces_(parts.workspaces) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto steps, texts_in(order.data, "steps"));
    CLEVER_ASSIGN(const auto store, workspaces_.store(plan));
    auto merge = subplans_.merge(plan, steps, *store, order.stop);
    if (!merge.ok()) return failure(order, merge.error());
    order.context->start_changeset(plan.decision).record(std::move(merge->changes));
    merge->merged.effect = order.id;
    return std::move(merge->merged);
  }

 private:
  // Only a refused merge reports `conflict`.
  static plan::Command failure(const EffectOrder& order, const base::Error& error) {
    plan::Command failure = EffectJob::failure(order, error);
    auto* record = std::get_if<plan::RecordError>(&failure);
    if (record != nullptr && error.code() == base::ErrorCode::kConflict) {
      record->category = model::ErrorCategory::kMergeConflict;
    }
    return failure;
  }

  Workspaces& workspaces_;
  const SubplanExecutionService subplans_{};
};

}  // namespace

std::unique_ptr<Effect> make_children_merge(const EffectParts& parts) {
  return std::make_unique<ChildrenMerge>(parts);
}

}  // namespace clever::engine::internal
