#pragma once
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace clever::provider::governor {

/// The pace of a provider that limits the rate but does not report the limit: the average pace up
/// to the last refusal, and a little faster with every answer since.
///
/// A pure value: time is an argument.
class GuessedPace {
 public:
  [[nodiscard]] base::TimePoint ready_at() const noexcept { return last_start_ + interval_; }
  void on_start(base::TimePoint now) noexcept;
  void on_answer() noexcept;
  /// Refused: the pace was too fast. Call once per wall.
  void on_refusal(base::TimePoint now) noexcept;
  /// The provider was down: that time says nothing about the limit.
  void on_outage() noexcept;
  /// The limit is known now.
  void forget() noexcept { *this = {}; }

 private:
  base::Duration interval_{};
  base::TimePoint last_start_{};
  // The start of counting, and the number of answers since.
  std::optional<base::TimePoint> counted_from_{};
  std::int64_t answers_ = 0;
};

}  // namespace clever::provider::governor
