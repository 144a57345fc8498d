#pragma once
#include <string>

#include "plan/internal/draft.h"

// Checks of the work before it lands. Pure.
namespace clever::plan {

/// Whether the work as it is now may land only after its validations, and they have not passed: a
/// subplan's never (its root's are run), nor what changed nothing or still has conflicts.
[[nodiscard]] bool must_be_validated(const State& state);
/// Whether they were run on the work as it is now, and something that is required failed.
[[nodiscard]] bool validation_failed(const State& state);
/// "validation tests (exit code 1) failed; validation lint (…) was not run": what is required and
/// keeps the work from landing.
[[nodiscard]] std::string what_did_not_pass(const State& state);
/// The same, and what a person can type about it.
[[nodiscard]] std::string validation_reason(const State& state);

/// The work as it is now is checked, if it must be, and then sealed (kSeal: a changeset is open)
/// or, sealed already and agreed to, landed (kApply). Leaves the plan with an open effect; call it
/// in a plan that is processing.
void validate_then(Draft& draft, EffectKind then);

/// What follows from how they ended (the last validations.ran): sealing, landing, another step that
/// mends the work, another strategy, or a person. `then` as it was asked for.
void follow_validation(Draft& draft, EffectKind then);

}  // namespace clever::plan
