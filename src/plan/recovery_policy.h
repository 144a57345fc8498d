#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "model/work_events.h"

namespace clever::plan {

/// The handling of a category's errors; the table is in recovery_policy.cc only.
struct RecoveryPolicy {
  /// Granted per plan and category; a success in between does not restore them.
  std::int64_t retries = 0;
  std::chrono::milliseconds first_delay{};
  /// The next delay is twice the last, up to this.
  std::chrono::milliseconds longest_delay{};
  /// When they are used up, or at once if there are none.
  model::Recovery then = model::Recovery::kGiveUp;
  /// For a person; {plan} stands for its id. Names the next command.
  std::string_view hint{};
  /// Follows the hint if a model works: a tool actor accepts no guidance.
  std::string_view guidance{};
};
[[nodiscard]] const RecoveryPolicy& recovery_policy(model::ErrorCategory category) noexcept;

/// The answer to an error; final and durable when it is given.
struct RecoveryDecision {
  std::int64_t number = 0;
  model::Recovery recovery = model::Recovery::kGiveUp;
  std::chrono::milliseconds after{};
  std::int64_t retry = 0;
  std::string hint{};

  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] static base::Result<RecoveryDecision> parse(std::string_view json);
  friend bool operator==(const RecoveryDecision&, const RecoveryDecision&) = default;
};

}  // namespace clever::plan
