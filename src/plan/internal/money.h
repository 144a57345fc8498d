#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/budget_events.h"
#include "model/time.h"
#include "plan/state.h"

namespace clever::plan {

/// "day/2026-11-15", "session/ID", "plan/ROOT", …, "plan/ID", in the order in which they are taken.
[[nodiscard]] std::vector<std::string> budget_scopes(const State& state, model::Timestamp now);

/// How large the next model call may be, and the most that it can cost then: each byte of the
/// request a token, and the whole output.
struct CallBounds {
  std::int64_t max_output = 0;
  std::int64_t overhead_bytes = 0;
  model::Cost cost{};
};
/// As the model and the plan's limits have it.
[[nodiscard]] CallBounds whole_call(const State& state);
/// The largest that costs no more than what is left: first with a shorter answer, then with less
/// shown of the project. None: not even least_call() does.
[[nodiscard]] std::optional<CallBounds> fitting_call(const State& state, const model::Cost& left);
[[nodiscard]] CallBounds least_call(const State& state);
[[nodiscard]] bool fits(const model::Cost& cost, const model::Cost& left) noexcept;

/// "$1.08": in cents, rounded up.
[[nodiscard]] std::string dollars(model::Microdollars amount);

}  // namespace clever::plan
