#pragma once
// What the settings storage.keep_* ask for. Private to the module.
#include <cstdint>

#include "base/result.h"
#include "plan/state.h"
#include "sandbox/sandbox_manager.h"
#include "service/context.h"
#include "service/invocation.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"

namespace clever::service {

/// After a command a few plans; a cleanup takes all, and looks again for what an earlier one left
/// when it was killed.
enum class Extent : std::uint8_t { kFewPlans, kAll };

/// What went. A value.
struct Retained {
  std::uint64_t plans = 0;
  std::uint64_t payloads = 0;
};

/// Lets the payloads of ended plans expire that are older than storage.keep_days, or too much for
/// storage.keep_mb. Their files become leftovers. Two processes never do it
/// at once: the second finds nothing to do.
base::Result<Retained> expire_payloads(storage::Engine& engine, const storage::OwnerLock& owner,
                                       Extent extent, Context& context);

/// Notes that the files of a plan are removed now, for check_files_kept().
base::Result<void> note_removed_files(const model::PlanId& plan, Context& context);
/// `not_found` names the day on which the files of a plan (or of its root) were cleaned up.
base::Result<void> check_files_kept(storage::Engine& engine, const plan::State& plan,
                                    Context& context);

/// As expire_payloads(), and their files: a few plans at most, once an hour, after the output of a
/// command that may have ended a plan. Says nothing: what fails now is done by the next one, or by
/// a cleanup.
void retain_after(const Invocation& invocation, Context& context);

}  // namespace clever::service
