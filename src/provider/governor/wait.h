#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "provider/failure.h"

namespace clever::provider {

/// Why a call does not start yet.
enum class WaitReason : std::uint8_t {
  kTurn,         // others come first, and as many run as the provider bears
  kRate,         // its limit of requests or tokens is used up for the moment
  kAskedTo,      // the provider said when to return, or was too busy and gets time
  kUnavailable,  // its circuit is open: one call at a time probes the provider
  kStore,        // the store that shares the limits has not answered
};
[[nodiscard]] std::string_view to_string(WaitReason reason) noexcept;  // "turn", "rate", …

/// A wait as seen now. A value.
struct Wait {
  WaitReason reason = WaitReason::kTurn;
  /// When the call is expected to start; none if unknown.
  std::optional<base::TimePoint> until{};
  /// The provider's last failure, if that is the reason.
  std::optional<FailureKind> cause{};

  /// "anthropic/claude is overloaded"
  [[nodiscard]] std::string why(std::string_view model) const;
  /// "anthropic/claude is overloaded; next try in 40 s"
  [[nodiscard]] std::string sentence(std::string_view model, base::TimePoint now) const;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Longer waits are shown.
inline constexpr base::Duration kLongWait = std::chrono::seconds(5);

/// "40 s", "3 min 20 s", "2 h 5 min": rounded up to the relevant units.
[[nodiscard]] std::string duration_text(base::Duration duration);

}  // namespace clever::provider
