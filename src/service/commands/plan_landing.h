#pragma once
// How a plan's changes land, and the report on it. Private to the module.
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/runtime.h"
#include "model/work_events.h"
#include "service/commands/plan.h"
#include "service/plan/reviewed_changes.h"
#include "service/report.h"

namespace clever::service {

/// The key of the command that applies the reviewed digest; the same for every caller. A retry
/// after a failed apply, or after a rollback to the same digest, takes a new key.
[[nodiscard]] std::string apply_key(const plan::State& state);

/// {plan_id, phase, state, digest, commit, files[], reason, moved_on[], conflicts[], undone,
/// next_steps[]}
[[nodiscard]] Document landing_document(const plan::State& state);
[[nodiscard]] bool is_applied(const plan::State& state);
[[nodiscard]] Report landed(const plan::State& state);
/// The person did not want it after all.
[[nodiscard]] Report left_alone(const plan::State& state);

/// Refuses what cannot be applied now, before asking.
[[nodiscard]] base::Result<void> check_ready(const plan::State& state);
/// `conflict` if `typed` is not how the digest of what would land begins.
[[nodiscard]] base::Result<void> check_digest(const plan::State& state, const std::string& typed);

/// --digest; empty if it was not given. `invalid_argument` if it cannot begin a digest.
[[nodiscard]] base::Result<std::string> typed_digest(const Invocation& invocation);
/// The digest of what would land. `is_all`: the parts that were chosen are all there are; then also
/// the digest that they were chosen from, so that a repeated request gets the same answer.
[[nodiscard]] base::Result<void> check_reviewed(const MeantPlan& plan, const std::string& typed,
                                                bool is_all, Context& context);
/// While another process chooses hunks, waits for its result.
base::Result<void> wait_for_choice(MeantPlan& plan, Context& context);
/// {reviewed, kept, dropped, edited}
[[nodiscard]] Document chosen_document(const base::Sha256Digest& reviewed, std::size_t kept,
                                       std::size_t all, std::size_t edits);

/// Lands a plan that is ready, by a process that no person sits at: returns why a person has to
/// look at it first (nothing was done then); empty: what came of it is in the plan's state. A
/// refusal shows there too.
[[nodiscard]] base::Result<std::string> land_unasked(engine::Runtime& runtime,
                                                     const plan::State& plan,
                                                     model::ApplyRequested request,
                                                     const base::StopToken& stop);

/// Has the sealed changes land, whatever their digest is, and says what came of it.
[[nodiscard]] base::Result<Report> land(const MeantPlan& plan, model::ApplyRequested request,
                                        Context& context);
/// The same of a part of them, which becomes a changeset of its own first.
[[nodiscard]] base::Result<Report> land_part(MeantPlan plan,
                                             std::unique_ptr<ReviewedChanges> changes,
                                             const std::vector<std::string>& keep,
                                             const std::vector<plan::Choose::Edit>& edits,
                                             model::ApplyRequested request, Context& context);

}  // namespace clever::service
