#include <array>

#include "engine/choice.h"
#include "engine/effects/internal/conflicts.h"
#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/plan_execution_context.h"
#include "plan/edits.h"
#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

/// Makes a tree of the changes that a person kept. Writes only objects, so it can be repeated.
class ChangesChoose final : public BlockingEffect {
 public:
  explicit ChangesChoose(const EffectParts& parts)
      : BlockingEffect(parts.scheduler), workspaces_(parts.workspaces), plans_(parts.store) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto keep, texts_in(order.data, "keep"));
    CLEVER_ASSIGN(const auto edits, edits_of(order));
    if (!plan.base) return base::conflict("plan " + plan.id.to_string() + " has no base yet");
    CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(plan.base->tree));
    CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(plan.tree));
    CLEVER_ASSIGN(const auto store, workspaces_.store(plan));
    CLEVER_ASSIGN(const ChosenWork work, choose_work(*store, base, tree, keep, edits, order.stop));
    CLEVER_TRY(store->sync(order.stop));
    plan::Chosen chosen{
        .effect = order.id, .tree = work.tree.to_hex(), .kept = work.kept, .dropped = work.dropped};
    for (const plan::Choose::Edit& edit : edits) chosen.edited.push_back(edit.path);
    CLEVER_ASSIGN(auto changes,
                  tool::changes_between(*store, base, work.tree, {"review", plan.decision}));
    CLEVER_ASSIGN(const auto made,
                  tool::changes_between(*store, tree, work.tree, {"review", plan.decision}));
    CLEVER_ASSIGN(const auto open, still_open(plan.conflicts, *store, work.tree, made));
    for (const auto& conflict : open) chosen.open_conflicts.push_back(conflict.path);
    order.context->start_changeset(plan.decision).record(std::move(changes));
    return chosen;
  }

 private:
  base::Result<std::vector<plan::Choose::Edit>> edits_of(const EffectOrder& order) const {
    CLEVER_ASSIGN(const std::string name, text_in(order.data, "edits"));
    if (name.empty()) return std::vector<plan::Choose::Edit>();
    CLEVER_ASSIGN(const base::Sha256Digest hash, base::Sha256Digest::from_hex(name));
    const std::array hashes{hash};
    CLEVER_ASSIGN(const auto bodies, plans_.bodies(hashes));
    return plan::edits_from_json(bodies.front().content);
  }

  Workspaces& workspaces_;
  PlanStore& plans_;
};

}  // namespace

std::unique_ptr<Effect> make_changes_choose(const EffectParts& parts) {
  return std::make_unique<ChangesChoose>(parts);
}

}  // namespace clever::engine::internal
