#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "engine/plan_writer.h"
#include "model/work_events.h"
#include "plan/recovery_policy.h"
#include "provider/failure.h"
#include "tool/runner.h"

namespace clever::engine {

/// Records errors of one plan and says what to do about them: one atomic, durable step. The error
/// is in the plan's journal, the retry is spent, and the answer is final, all in one transaction;
/// so two workers never get the last retry both, and no crash gives one back.
///
/// Owned by who drives the plan. Thread-safe. The writer must outlive it.
class ErrorRecoveryService {
 public:
  explicit ErrorRecoveryService(PlanWriter& writer) : writer_(writer) {}

  base::Result<plan::RecoveryDecision> record(plan::RecordError error,
                                              const base::StopToken& stop = {});

 private:
  PlanWriter& writer_;
};

/// All errors of a plan in order, from its journal.
[[nodiscard]] base::Result<std::vector<model::ErrorRecorded>> error_history(
    PlanStore& store, const model::PlanId& plan);

// Which category something that went wrong belongs to: the only places that say.
[[nodiscard]] model::ErrorCategory category_of(provider::FailureKind kind) noexcept;
[[nodiscard]] model::ErrorCategory category_of(base::ErrorCode code) noexcept;
[[nodiscard]] model::ErrorCategory category_of(tool::Outcome outcome) noexcept;

// Whether the same would go wrong again, however often it is tried, until somebody changes
// something.
[[nodiscard]] bool lasts(provider::FailureKind kind) noexcept;
[[nodiscard]] bool lasts(base::ErrorCode code) noexcept;

}  // namespace clever::engine
