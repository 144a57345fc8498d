#pragma once
#include <functional>

#include "base/error.h"
#include "base/result.h"
#include "engine/plan_writer.h"
#include "model/work_events.h"
#include "plan/recovery_policy.h"
#include "provider/failure.h"
#include "tool/runner.h"

namespace clever::engine {

/// Records errors of one plan and decides what follows: one atomic, durable step. The error and its
/// answer are in the plan's journal, the retry is spent, and what the answer needs (a timer, the
/// way back to the strategy) is requested, all in one transaction; so two workers never both get
/// the last retry, and no crash gives one back. The plan's driver records through it alone.
///
/// Owned by the driver of the plan. Thread-safe. The writer must outlive it. The answer is
/// `conflict` if the effect was settled before or the lease is lost.
class ErrorRecoveryService {
 public:
  using Done = std::move_only_function<void(base::Result<plan::RecoveryDecision>)>;

  explicit ErrorRecoveryService(PlanWriter& writer) : writer_(writer) {}

  /// Tells `done` once, on the writer's executor, when the answer is durable.
  void record(plan::RecordError error, Done done);

 private:
  PlanWriter& writer_;
};

// Which category something that went wrong belongs to: the only places that say.
[[nodiscard]] model::ErrorCategory category_of(provider::FailureKind kind) noexcept;
[[nodiscard]] model::ErrorCategory category_of(base::ErrorCode code) noexcept;
[[nodiscard]] model::ErrorCategory category_of(tool::Outcome outcome) noexcept;

// Whether the same error would come again, however often it is tried, until a person changes
// something.
[[nodiscard]] bool lasts(provider::FailureKind kind) noexcept;
[[nodiscard]] bool lasts(base::ErrorCode code) noexcept;

}  // namespace clever::engine
