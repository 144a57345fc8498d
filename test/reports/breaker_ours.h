#pragma once
// Report #7088: base::Circuit, held to the same checks as the models.

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/circuit_breaker.h"

namespace clever::reports::breaker {

class Ours {
 public:
  /// The checks copy permits and let some go; ours cannot be copied, and one let go is abandoned,
  /// which would free its place: the model keeps them all.
  using Permit = std::shared_ptr<base::Circuit::Permit>;

  explicit Ours(int threshold)
      : circuit_(clock_, random_, {.failure_threshold = static_cast<std::uint32_t>(threshold)}) {}

  std::optional<Permit> try_begin() {
    auto permit = circuit_.try_acquire();
    if (!permit) return std::nullopt;
    auto kept = std::make_shared<base::Circuit::Permit>(*std::move(permit));
    permits_.with([&](std::vector<Permit>& permits) { permits.push_back(kept); });
    return kept;
  }
  void succeed(const Permit& permit) { permit->succeed(); }
  void fail(const Permit& permit) { permit->fail(); }
  void cool_down() { clock_.advance(std::chrono::minutes(3)); }

  [[nodiscard]] bool is_open() const {
    return circuit_.view().state != base::CircuitState::kClosed;
  }
  [[nodiscard]] int total_failures() const {
    return static_cast<int>(circuit_.view().total_failures);
  }
  [[nodiscard]] int counted() const {
    return static_cast<int>(circuit_.view().consecutive_failures);
  }
  [[nodiscard]] int times_opened() const { return static_cast<int>(circuit_.view().times_opened); }

 private:
  base::SimulatedClock clock_;
  base::SeededRandom random_{1};
  base::Circuit circuit_;
  base::Guarded<std::vector<Permit>> permits_;
};

}  // namespace clever::reports::breaker
