#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::service {

/// What was looked at, and all that is wrong with it. A value.
struct PlanFindings {
  std::uint64_t plans = 0;
  std::uint64_t events = 0;
  std::uint64_t changesets = 0;
  std::uint64_t open_effects = 0;
  std::vector<std::string> chain{};
  std::vector<std::string> fold{};
  std::vector<std::string> digests{};
  std::vector<std::string> effects{};

  [[nodiscard]] bool sound() const {
    return chain.empty() && fold.empty() && digests.empty() && effects.empty();
  }
};

/// Compares the journals of a plan and its subplans with their state and the tables beside them,
/// all as they are at one moment: others may work on the plan meanwhile.
[[nodiscard]] base::Result<PlanFindings> verify_plan(storage::Engine& engine, base::Clock& clock,
                                                     const model::PlanId& plan,
                                                     const base::StopToken& stop);

}  // namespace clever::service
