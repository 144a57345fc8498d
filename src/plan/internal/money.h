#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/budget_events.h"
#include "model/time.h"
#include "plan/state.h"

namespace clever::plan {

/// "day/2026-11-15", "session/ID", "plan/ROOT", …, "plan/ID", in the order of reservation.
[[nodiscard]] std::vector<std::string> budget_scopes(const State& state, model::Timestamp now);

/// The size of the next model call, and its maximal cost: each byte of the request counts as a
/// token, and the output has full length.
struct CallBounds {
  std::int64_t max_output = 0;
  std::int64_t overhead_bytes = 0;
  model::Cost cost{};
};
/// The bounds of the model and the plan's limits.
[[nodiscard]] CallBounds whole_call(const State& state);
/// The largest call that costs no more than what is left: shortens the answer first, then the
/// context. None if not even least_call() fits.
[[nodiscard]] std::optional<CallBounds> fitting_call(const State& state, const model::Cost& left);
[[nodiscard]] CallBounds least_call(const State& state);
[[nodiscard]] bool fits(const model::Cost& cost, const model::Cost& left) noexcept;

/// "$1.08": in cents, rounded up.
[[nodiscard]] std::string dollars(model::Microdollars amount);

}  // namespace clever::plan
