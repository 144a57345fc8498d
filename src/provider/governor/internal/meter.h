#pragma once
#include <cstdint>
#include <deque>
#include <optional>

#include "base/clock.h"
#include "provider/governor/rate_limit.h"

namespace clever::provider::governor {

/// One limit of a lane: when the next request, or tokens, may go. Its slots come one by one from
/// its own sequence, or in runs from a lease.
///
/// Several slots taken at once may start when the first one has come: a call of many tokens uses
/// future slots, which a provider's bucket allows if the call fits into the limit.
///
/// A pure value: time is an argument.
class Meter {
 public:
  enum class Source : std::uint8_t { kOwn, kLeased };
  explicit Meter(Source source = Source::kOwn) : source_(source) {}

  /// None: no limit. Amounts taken before the limit was known count.
  void limit(const std::optional<RateLimit>& limit);
  [[nodiscard]] const std::optional<RateLimit>& limit() const noexcept { return limit_; }
  /// Leased only: without a limit nothing starts before a slot arrives (true), or everything may
  /// (false).
  void cold(bool cold) noexcept { cold_ = cold; }
  [[nodiscard]] bool limited() const noexcept { return limit_.has_value() || cold_; }

  /// The earliest start: TimePoint::max() if a lease is needed first.
  [[nodiscard]] base::TimePoint ready_at() const;
  void take(std::int64_t amount, base::TimePoint now);
  /// Corrects what was taken by what was used; negative amounts were used in addition.
  void give_back(std::int64_t amount);
  /// The provider reports that nothing is left until then.
  void hold_until(base::TimePoint until) noexcept { held_until_ = std::max(held_until_, until); }
  void release_hold() noexcept { held_until_ = {}; }

  // Of leased slots.
  void add(SlotRun run);
  /// Drops the slots that have expired. Returns how many.
  std::int64_t expire(base::TimePoint now);
  /// The number of slots; negative: owed ones.
  [[nodiscard]] std::int64_t stock() const noexcept { return stock_; }

 private:
  void take_leased(std::int64_t amount);

  Source source_;
  bool cold_ = false;
  std::optional<RateLimit> limit_{};
  Pace pace_{};
  base::TimePoint held_until_{};
  // kOwn: the first slot not taken.
  base::TimePoint next_{};
  base::TimePoint last_taken_at_{};
  std::int64_t last_taken_ = 0;
  // kLeased.
  std::deque<SlotRun> runs_{};
  std::int64_t stock_ = 0;
};

}  // namespace clever::provider::governor
