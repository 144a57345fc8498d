#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/event.h"

namespace clever::model {

/// Money, in millionths of a dollar.
using Microdollars = std::int64_t;
/// A billion dollars: sums of such amounts stay far inside 64 bits.
inline constexpr Microdollars kLargestAmount = 1'000'000'000'000'000;

/// Money was put aside in every scope ("plan/ID", "session/ID", "day/2026-11-15"), before anything
/// is spent. A value.
struct BudgetReserved {
  static constexpr std::string_view kKind = "budget.reserved";

  std::vector<std::string> scopes{};
  Microdollars amount = 0;

  [[nodiscard]] Event to_event() const;
  /// `invalid_argument` names the key that is wrong. The scopes come back sorted, each once.
  [[nodiscard]] static base::Result<BudgetReserved> parse(std::string_view data);
  friend bool operator==(const BudgetReserved&, const BudgetReserved&) = default;
};

/// Of what was put aside, `reserved` is over and `spent` of it is gone for good: the worst case is
/// reserved first, so more than that is refused. A value.
struct BudgetSettled {
  static constexpr std::string_view kKind = "budget.settled";

  std::vector<std::string> scopes{};
  Microdollars reserved = 0;
  Microdollars spent = 0;

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<BudgetSettled> parse(std::string_view data);
  friend bool operator==(const BudgetSettled&, const BudgetSettled&) = default;
};

}  // namespace clever::model
