#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "model/work_events.h"
#include "plan/internal/draft.h"
#include "plan/recovery_policy.h"

namespace clever::plan {

/// For a retry: restart the present step, or the strategy.
inline constexpr std::string_view kWholeStep = "step";

struct Failure {
  model::ErrorCategory category = model::ErrorCategory::kInternal;
  std::string message{};
  /// No retry helps.
  bool lasts = false;
  /// The failed effect, settled already; may be none.
  model::EffectId effect{};
  std::optional<std::chrono::milliseconds> retry_after{};
  /// What a retry does: a kind of effect with its data, or kWholeStep. Empty: the caller retries by
  /// itself, and the plan stays as it is.
  std::string then{};
  std::string data = "{}";
};

/// Records the error and the decision about it, and carries that out.
RecoveryDecision fail(Draft& draft, const Failure& failure);
/// The same without a further retry.
RecoveryDecision give_up(Draft& draft, const Failure& failure);
/// Records an error without a retry; the transition itself handles the consequences.
RecoveryDecision note(Draft& draft, const Failure& failure);

}  // namespace clever::plan
