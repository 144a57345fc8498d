#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/atomic.h"
#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/random.h"
#include "provider/governor/alarms.h"
#include "provider/governor/circuit_news.h"
#include "provider/governor/lane.h"
#include "provider/governor/shared_limits.h"
#include "provider/provider_set.h"

namespace clever::provider {

namespace governor {
class GovernedLane;
}

/// Sets the pace of all calls of a process: one lane per model, address and key, each with the
/// limits that its provider reports or a person set, a window of concurrent calls, a circuit, and a
/// fair queue between plans.
///
/// Thread-safe. Owned by the composition root; its constructor arguments must outlive it. The
/// threads that use its lanes (the backends', and the last alarm) must end first. The destructor
/// drops calls that still wait, without a callback.
class Governor {
 public:
  struct Parts {
    base::Clock& clock;
    base::Random& random;
    base::CircuitBreaker& circuits;
    Alarms& alarms;
    /// Null: this process does not share its limits.
    SharedLimits* shared = nullptr;
    /// Null: no one receives circuit news.
    CircuitNews* news = nullptr;
  };
  struct Options {
    /// The most calls that wait in one lane; further ones are refused.
    std::size_t queue_limit = 100'000;
    /// The most calls that run in one lane, unless the provider's settings say otherwise.
    std::int64_t most_concurrent = 256;
  };

  explicit Governor(const Parts& parts);
  Governor(const Parts& parts, const Options& options);
  ~Governor();
  Governor(const Governor&) = delete;
  Governor& operator=(const Governor&) = delete;

  /// The lane of a model, created on first use. `limits` are those of the latest settings.
  [[nodiscard]] std::shared_ptr<Lane> lane(const LaneKey& key, const ProviderLimits& limits);
  [[nodiscard]] std::shared_ptr<Lane> lane(const ResolvedModel& model);
  [[nodiscard]] Ticket new_ticket();

  /// Closes the circuits of a provider and forgets its requested waits: `agents provider reset`,
  /// here or in another process. Returns the number of lanes.
  std::size_t reset(std::string_view provider);
  /// Sorted by key.
  [[nodiscard]] std::vector<LaneView> list() const;

 private:
  struct Entry {
    std::shared_ptr<governor::GovernedLane> lane{};
    ProviderLimits limits{};
  };
  using Lanes = std::map<LaneKey, Entry>;

  [[nodiscard]] std::shared_ptr<governor::GovernedLane> make_lane(
      const LaneKey& key, const ProviderLimits& limits) const;

  // Constant after construction.
  const Parts parts_;
  const Options options_;
  base::Guarded<Lanes> lanes_;
  // Counts only.
  base::Atomic<std::uint64_t> last_ticket_{0};
};

}  // namespace clever::provider
