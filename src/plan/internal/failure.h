#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "model/work_events.h"
#include "plan/internal/draft.h"
#include "plan/recovery_policy.h"

namespace clever::plan {

/// Of a retry: the present step, or the strategy, begins anew.
inline constexpr std::string_view kWholeStep = "step";

struct Failure {
  model::ErrorCategory category = model::ErrorCategory::kInternal;
  std::string message{};
  /// No retry helps.
  bool lasts = false;
  /// Settled already; none if it was none.
  model::EffectId effect{};
  std::optional<std::chrono::milliseconds> retry_after{};
  /// What a retry does: a kind of effect with its data, or kWholeStep. Empty: whoever asked retries
  /// by itself, and the plan stays as it is.
  std::string then{};
  std::string data = "{}";
};

/// Records the error and what is done about it, and does that.
RecoveryDecision fail(Draft& draft, const Failure& failure);
/// The same where no retry is left to be given.
RecoveryDecision give_up(Draft& draft, const Failure& failure);
/// Records an error that no retry answers; the transition that records it does what follows.
RecoveryDecision note(Draft& draft, const Failure& failure);

}  // namespace clever::plan
