#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/clock.h"

// A limit of R in a window W as a sequence of slots in time. Values; pure.
namespace clever::provider {

/// What providers count.
enum class Metered : std::uint8_t { kRequests, kTokens, kInputTokens, kOutputTokens };
inline constexpr std::size_t kMeteredKinds = 4;
template <class T>
using PerMetered = std::array<T, kMeteredKinds>;

struct RateLimit {
  /// At least 1.
  std::int64_t limit = 1;
  base::Duration window = std::chrono::minutes(1);
  friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

/// The stricter of the two, by what it allows in the long run.
[[nodiscard]] RateLimit stricter(const RateLimit& a, const RateLimit& b) noexcept;

/// A run of slots: slot k may be used from `first + k * interval` on, for `grace`, by one request
/// or one token; afterwards it is void.
struct SlotRun {
  base::TimePoint first{};
  base::Duration interval{};
  base::Duration grace{};
  std::int64_t count = 0;
  friend bool operator==(const SlotRun&, const SlotRun&) = default;
};

/// How the slots of a rate lie in time. A slot that is used late moves a request closer to the
/// next ones, and so does a network that delays one more than another; the interval is longer than
/// window / limit by just so much that nevertheless no window of that length, wherever it begins,
/// holds more than `limit` requests:
///
///     a window [t, t + W) is reached by slots of [t - grace - jitter, t + W): at most
///     (W + grace + jitter) / interval = limit
struct Pace {
  base::Duration interval{};
  base::Duration grace{};
  [[nodiscard]] static Pace of(const RateLimit& rate) noexcept;
};

/// How slots are given out while nobody knows a lane's limits yet: one at a time, far enough apart
/// that the answer to the first tells them before many have gone.
[[nodiscard]] Pace cold_pace() noexcept;

/// Takes `count` slots from a lane's sequence, whose next unused slot is `next`: the one rule by
/// which every implementation of SharedLimits hands them out. Moves `next`. Slots that are void
/// already are skipped: what nobody used is gone.
[[nodiscard]] SlotRun take_slots(base::TimePoint& next, const Pace& pace, std::int64_t count,
                                 base::TimePoint now) noexcept;

}  // namespace clever::provider
