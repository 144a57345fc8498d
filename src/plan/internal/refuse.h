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

/// The open effect of an outcome. `conflict` if it is not open (it was settled before),
/// `invalid_argument` if it is of another kind.
[[nodiscard]] base::Result<OpenEffect> open_effect(const State& state, const model::EffectId& id,
                                                   std::initializer_list<EffectKind> kinds);

/// "agents plan VERB ID" in back quotes.
[[nodiscard]] std::string command_line(const State& state, const std::string& verb,
                                       const std::string& rest = {});

/// What to do instead, as the end of a refusal: the first advice() that changes something, or a new
/// plan.
[[nodiscard]] std::string what_works(const State& state);
/// How to continue after a plan that takes no more commands.
[[nodiscard]] std::string begin_anew(const State& state);

/// The root plan: the state's own, unless it is a subplan.
[[nodiscard]] model::PlanId root_of(const State& state);

/// An ended subplan is fixed for its parent.
[[nodiscard]] base::Result<void> check_not_ended(const State& state);

}  // namespace clever::plan
