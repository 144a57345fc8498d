#include "engine/effects/internal/carried_over.h"

#include <iterator>

#include "tool/change_capture.h"

namespace clever::engine::internal {

base::Result<std::vector<model::ChangeEntry>> with_carried_over(
    const plan::State& plan, git::ObjectStore& store, std::vector<model::ChangeEntry> changes) {
  const bool goes_on = plan.base && plan.changeset.entries == 0 && plan.tree != plan.base->tree;
  if (changes.empty() || !goes_on) return changes;
  CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(plan.base->tree));
  CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(plan.tree));
  CLEVER_ASSIGN(auto entries, tool::changes_between(store, base, tree,
                                                    {std::string(kCarriedOver), plan.decision}));
  entries.insert(entries.end(), std::make_move_iterator(changes.begin()),
                 std::make_move_iterator(changes.end()));
  return entries;
}

}  // namespace clever::engine::internal
