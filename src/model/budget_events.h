#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/id.h"

namespace clever::model {

/// Money, in millionths of a dollar.
using Microdollars = std::int64_t;
/// A billion dollars: sums of such amounts stay far below 64 bits.
inline constexpr Microdollars kLargestAmount = 1'000'000'000'000'000;

/// The cost of a call, estimated or real, in both units that have caps. A value.
struct Cost {
  Microdollars money = 0;
  std::int64_t tokens = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

/// A call's worst case was reserved in every scope ("day/2026-11-15", "session/ID", "plan/ID")
/// before anything is spent. A value.
struct BudgetReserved {
  static constexpr std::string_view kKind = "budget.reserved";

  std::vector<std::string> scopes{};
  Cost cost{};
  /// The effect it pays for; may be none.
  EffectId effect{};

  [[nodiscard]] Event to_event() const;
  /// `invalid_argument` names the wrong key. Returns the scopes in the order of reservation
  /// (in_order_of_taking).
  [[nodiscard]] static base::Result<BudgetReserved> parse(std::string_view data);
  friend bool operator==(const BudgetReserved&, const BudgetReserved&) = default;
};

/// A reservation ended, and the real cost is spent: usually less, but a higher cost is recorded
/// too. A value.
struct BudgetSettled {
  static constexpr std::string_view kKind = "budget.settled";

  /// The sequence of the plan's event that reserved it. Settled once.
  std::int64_t reservation = 0;
  /// As reserved.
  std::vector<std::string> scopes{};
  Cost reserved{};
  Cost spent{};
  /// Of an external agent, which says what a turn cost only after it: more than was reserved is no
  /// overrun. The caps bind what it may start next.
  bool open_ended = false;

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<BudgetSettled> parse(std::string_view data);
  friend bool operator==(const BudgetSettled&, const BudgetSettled&) = default;
};

/// A person released a reservation whose call has an unknown outcome; until then it counted as
/// spent. A value.
struct BudgetReleased {
  static constexpr std::string_view kKind = "budget.released";

  std::int64_t reservation = 0;
  std::vector<std::string> scopes{};
  Cost reserved{};

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<BudgetReleased> parse(std::string_view data);
  friend bool operator==(const BudgetReleased&, const BudgetReleased&) = default;
};

/// Removes duplicates and sorts scopes into the one order in which they are reserved, so that no
/// two reservations deadlock: day, session, plans from the root down (their ids grow), then others
/// by name.
[[nodiscard]] std::vector<std::string> in_order_of_taking(std::vector<std::string> scopes);

}  // namespace clever::model
