#include "provider/governor/governor.h"

#include "provider/governor/internal/governed_lane.h"

namespace clever::provider {
namespace {

using governor::GovernedLane;
using Limits = PerMetered<std::optional<RateLimit>>;

Limits configured(const ProviderLimits& limits) {
  const auto per_minute = [](const std::optional<std::int64_t>& limit) -> std::optional<RateLimit> {
    if (!limit || *limit <= 0) return std::nullopt;
    return RateLimit{*limit, std::chrono::minutes(1)};
  };
  return {per_minute(limits.requests_per_minute), per_minute(limits.tokens_per_minute)};
}

}  // namespace

Governor::Governor(const Parts& parts) : Governor(parts, Options{}) {}
Governor::Governor(const Parts& parts, const Options& options) : parts_(parts), options_(options) {}
Governor::~Governor() {
  for (const auto& [key, entry] : lanes_.with([](Lanes& lanes) { return std::move(lanes); })) {
    entry.lane->abandon();
  }
}

std::shared_ptr<GovernedLane> Governor::make_lane(const LaneKey& key,
                                                  const ProviderLimits& limits) const {
  const governor::LaneOptions options{
      options_.queue_limit, limits.max_concurrency.value_or(options_.most_concurrent),
      parts_.shared != nullptr, configured(limits), limits.max_concurrency.value_or(0)};
  governor::LaneState state(options, parts_.circuits.circuit(key.text()), parts_.random);
  auto lane = std::make_shared<GovernedLane>(
      key, GovernedLane::Parts{parts_.clock, parts_.shared, parts_.news}, std::move(state));
  lane->connect(parts_.alarms);
  return lane;
}

std::shared_ptr<Lane> Governor::lane(const LaneKey& key, const ProviderLimits& limits) {
  const auto find = [&](const Lanes& lanes) {
    const auto found = lanes.find(key);
    return found == lanes.end() ? Entry{} : found->second;
  };
  Entry entry = lanes_.with(find);
  if (entry.lane == nullptr) {
    // Made without the lock; if another thread was quicker, its lane is used.
    Entry made{make_lane(key, limits), limits};
    entry = lanes_.with([&](Lanes& lanes) { return lanes.try_emplace(key, made).first->second; });
  }
  if (entry.limits != limits) {
    lanes_.with([&](Lanes& lanes) { lanes[key].limits = limits; });
    entry.lane->configure(configured(limits),
                          limits.max_concurrency.value_or(options_.most_concurrent));
  }
  return entry.lane;
}

std::shared_ptr<Lane> Governor::lane(const ResolvedModel& model) {
  const Provider& provider = *model.provider;
  return lane({provider.name(), provider.runtime()->identity(), model.model}, provider.limits());
}

Ticket Governor::new_ticket() { return Ticket{last_ticket_.fetch_add(1) + 1}; }

std::size_t Governor::reset(std::string_view provider) {
  const auto lanes = lanes_.with([](const Lanes& all) { return all; });
  std::size_t count = 0;
  for (const auto& [key, entry] : lanes) {
    if (key.provider != provider) continue;
    entry.lane->reset();
    ++count;
  }
  return count;
}

std::vector<LaneView> Governor::list() const {
  const auto lanes = lanes_.with([](const Lanes& all) { return all; });
  std::vector<LaneView> views;
  for (const auto& [key, entry] : lanes) views.push_back(entry.lane->view());
  return views;
}

}  // namespace clever::provider
