#pragma once
#include <string>

#include "plan/internal/draft.h"

// Validations of the work before it lands. Pure.
namespace clever::plan {

/// Whether the present work may land only after its validations, and they have not passed: never
/// for a subplan (its root's run), nor for work without changes or with conflicts.
[[nodiscard]] bool must_be_validated(const State& state);
/// Whether they ran on the present work, and a required one failed.
[[nodiscard]] bool validation_failed(const State& state);
/// "validation tests (exit code 1) failed; validation lint (…) was not run": the required ones that
/// keep the work from landing.
[[nodiscard]] std::string what_did_not_pass(const State& state);
/// The same, and what a person can type about it.
[[nodiscard]] std::string validation_reason(const State& state);

/// Validates the present work, if required, and then seals it (kSeal: a changeset is open) or, if
/// it is sealed and agreed to, lands it (kApply). Leaves the plan with an open effect; call it
/// while the plan is processing.
void validate_then(Draft& draft, EffectKind then);

/// Continues after the last validations.ran: sealing, landing, a step that fixes the work, another
/// strategy, or a person. `then` as it was requested.
void follow_validation(Draft& draft, EffectKind then);

}  // namespace clever::plan
