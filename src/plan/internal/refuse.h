#pragma once
#include <initializer_list>
#include <string>

#include "base/result.h"
#include "plan/command.h"
#include "plan/state.h"

namespace clever::plan {

/// `conflict`: "the plan is in execute/processing: WHY; RIGHT".
[[nodiscard]] base::Error refuse(const State& state, const std::string& why,
                                 const std::string& right);

/// The open effect that an outcome is of. `conflict` if it is not open (somebody settled it
/// before), `invalid_argument` if it is of another kind.
[[nodiscard]] base::Result<OpenEffect> open_effect(const State& state, const model::EffectId& id,
                                                   std::initializer_list<EffectKind> kinds);

/// "agents plan VERB ID" in back quotes.
[[nodiscard]] std::string command_line(const State& state, const std::string& verb,
                                       const std::string& rest = {});

/// What to do instead, as the end of a refusal: the first of advice() that changes something, or to
/// begin anew.
[[nodiscard]] std::string what_works(const State& state);

/// The plan at the top: the state's own, if it is no subplan.
[[nodiscard]] model::PlanId root_of(const State& state);

/// A subplan that has ended stays as its parent knows it.
[[nodiscard]] base::Result<void> check_not_ended(const State& state);

}  // namespace clever::plan
