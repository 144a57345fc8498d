#pragma once
#include <string>

#include "model/strategy.h"
#include "plan/internal/draft.h"

namespace clever::plan {

/// The strategy is worked out, from where that stands now; the base is known.
void think(Draft& draft);
/// One step that is the whole task.
[[nodiscard]] model::Strategy whole_task(const State& state, std::string detail = {});
/// Its decisions are recorded; a person approves if the profile wants that, else it is carried out.
void accept(Draft& draft, const model::Strategy& strategy);
/// From execute back to strategize: the tree is the base's again, decisions are superseded.
void revert(Draft& draft, const std::string& why);

}  // namespace clever::plan
