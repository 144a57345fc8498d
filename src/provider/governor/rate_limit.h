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

/// The stricter of the two in the long run.
[[nodiscard]] RateLimit stricter(const RateLimit& a, const RateLimit& b) noexcept;

/// A run of slots: slot k may be used from `first + k * interval` on, for `grace`, by one request
/// or one token; then it expires.
struct SlotRun {
  base::TimePoint first{};
  base::Duration interval{};
  base::Duration grace{};
  std::int64_t count = 0;
  friend bool operator==(const SlotRun&, const SlotRun&) = default;
};

/// How the slots of a rate lie in time. A slot that is used late moves a request closer to the next
/// ones, and so does a network that delays requests unequally. So the interval is longer than
/// window / limit by just enough that no window of that length, wherever it begins, holds more than
/// `limit` requests:
///
///     a window [t, t + W) is reached by slots of [t - grace - jitter, t + W): at most
///     (W + grace + jitter) / interval = limit
struct Pace {
  base::Duration interval{};
  base::Duration grace{};
  [[nodiscard]] static Pace of(const RateLimit& rate) noexcept;
};

/// The slots of a lane with unknown limits: one at a time, so far apart that the answer to the
/// first reveals the limits before many have gone.
[[nodiscard]] Pace cold_pace() noexcept;

/// Takes `count` slots from a lane's sequence, whose next unused slot is `next`: the one rule by
/// which every implementation of SharedLimits hands them out. Moves `next`, and skips expired
/// slots.
[[nodiscard]] SlotRun take_slots(base::TimePoint& next, const Pace& pace, std::int64_t count,
                                 base::TimePoint now) noexcept;

}  // namespace clever::provider
