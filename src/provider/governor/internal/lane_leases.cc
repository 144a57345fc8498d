// How a lane that shares its limits with other processes leases slots.
#include <algorithm>

#include "provider/governor/internal/lane_state.h"

namespace clever::provider::governor {

using base::Duration;
using base::TimePoint;

namespace {

// A batch covers at most this long: other processes wait for what one process holds.
constexpr Duration kHorizon = std::chrono::seconds(3);
constexpr Duration kAskAgainAfter = std::chrono::seconds(1);
// Asks for more when this part of a batch is left.
constexpr std::int64_t kLowParts = 4;

}  // namespace

bool LaneState::lacks_slots() const {
  const std::int64_t stock = meter(Metered::kRequests).stock();
  const auto lacks = [](const Meter& each) { return each.limited() && each.stock() <= 0; };
  if (std::ranges::any_of(meters_, lacks)) return true;
  if (!meter(Metered::kRequests).limited()) return false;
  return stock * kLowParts <= batch_ && stock < static_cast<std::int64_t>(queue_.size());
}

std::optional<PerMetered<std::int64_t>> LaneState::take_lease_request(TimePoint now) {
  if (!options_.leased || lease_pending_ || queue_.empty() || lease_again_at_ > now) {
    return std::nullopt;
  }
  const bool room = static_cast<std::int64_t>(running_.size()) < window_.size();
  // Slots that arrive while nothing can start would be wasted.
  if (!room || paused_until_ > now || unavailable_until(now) || !lacks_slots()) return std::nullopt;
  lease_pending_ = true;
  const auto first = queue_.next();
  const TokenCount tokens = queued_.at(*first).request.tokens;
  const auto batch_tokens = static_cast<std::int64_t>(mean_tokens_ * static_cast<double>(batch_));
  PerMetered<std::int64_t> wanted{};
  wanted[0] = batch_;
  for (std::size_t i = 1; i < kMeteredKinds; ++i) {
    if (!meters_[i].limited()) continue;
    const std::int64_t owed = std::max<std::int64_t>(-meters_[i].stock(), 0);
    wanted[i] = owed + std::max(tokens.input + tokens.output, batch_tokens);
  }
  return wanted;
}

void LaneState::leased(const base::Result<Lease>& lease, TimePoint now) {
  lease_pending_ = false;
  lease_failed_ = !lease.ok();
  if (!lease.ok()) {
    lease_again_at_ = now + kAskAgainAfter;
    return;
  }
  if (lease->known && !known_) {
    known_ = true;
    window_.warm();
  }
  if (lease->window) {
    window_.start_at(*lease->window);
    shared_window_ = std::max(shared_window_, *lease->window);
  }
  if (lease->known) {
    // Own observations come first: they are reported, and return with the next lease.
    for (std::size_t i = 0; i < kMeteredKinds; ++i) {
      if (!learned_[i]) learned_[i] = lease->rates[i];
    }
    meter(Metered::kRequests).cold(false);
    apply_limits();
  }
  take_runs(*lease, now);
  pause_until(lease->paused_until, std::nullopt, now);
}

void LaneState::take_runs(const Lease& lease, TimePoint now) {
  std::int64_t late = 0;
  bool empty = false;
  for (std::size_t i = 0; i < kMeteredKinds; ++i) {
    if (lease.runs[i].count > 0) meters_[i].add(lease.runs[i]);
    empty = empty || (meters_[i].limited() && lease.runs[i].count == 0 && meters_[i].stock() <= 0);
    const std::int64_t lost = meters_[i].expire(now);
    if (i == 0) late = lost;
  }
  adapt_batch(late > 0);
  if (!empty) return;
  // The store does not know this limit: report it and ask again, but not in a loop.
  if (known_) know();
  lease_again_at_ = now + kAskAgainAfter;
}

void LaneState::adapt_batch(bool came_late) {
  const auto& limit = meter(Metered::kRequests).limit();
  const std::int64_t most = limit ? kHorizon / Pace::of(*limit).interval : 1;
  // If the store is so slow that slots expire before they arrive, or most of the last batch was
  // used, ask for more at once; if most of it was lost, ask for less.
  if (!came_late && lost_slots_ * 2 > batch_) batch_ /= 2;
  if (came_late || lost_slots_ * kLowParts <= batch_) batch_ *= 2;
  batch_ = std::clamp<std::int64_t>(batch_, 1, std::max<std::int64_t>(most, 2));
  lost_slots_ = 0;
}

}  // namespace clever::provider::governor
