#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/id.h"

namespace clever::sim {

/// What is wrong with the changesets of a plan's journal (invariant 4): each holds the changes of
/// one effect alone, all of them if the effect came to its end, and none after the plan was sealed
/// with it. Entries name their effect as their tool; `changes` says how many each effect makes.
[[nodiscard]] std::vector<std::string> flaws_of_changes(
    std::span<const model::StoredEvent> journal,
    const std::map<model::EffectId, std::size_t>& changes);

}  // namespace clever::sim
