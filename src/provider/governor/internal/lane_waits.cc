// What a lane reports to its waiting calls.
#include <algorithm>

#include "provider/governor/internal/lane_state.h"

namespace clever::provider::governor {

using base::Duration;
using base::TimePoint;

namespace {

// How often a wait that has not changed is reported again.
constexpr Duration kReminder = std::chrono::seconds(30);

}  // namespace

void LaneState::plan_notice(Queued& call, TimePoint at) {
  if (call.request.announced) at = std::max(at, *call.request.announced + kLongWait);
  if (call.notice <= at) return;
  notices_.erase({call.notice, call.request.ticket});
  call.notice = at;
  notices_.emplace(at, call.request.ticket);
}

void LaneState::plan_notices(TimePoint now) {
  for (auto& [ticket, call] : queued_) plan_notice(call, now);
}

void LaneState::give_notices(TimePoint now, LaneEvents& events) {
  while (!notices_.empty() && notices_.begin()->first <= now) {
    const Ticket ticket = notices_.begin()->second;
    notices_.erase(notices_.begin());
    Queued& call = queued_.at(ticket);
    call.notice = TimePoint::max();
    call.request.announced = now;
    plan_notice(call, now + kReminder);
    events.push_back({ticket, wait_of(ticket, now)});
  }
}

Wait LaneState::obstacle(TimePoint now) const {
  if (const auto next = unavailable_until(now)) {
    const bool probing = circuit_state() == base::CircuitState::kHalfOpen;
    const auto until = probing ? std::nullopt : std::optional(std::max(*next, paused_until_));
    return {WaitReason::kUnavailable, until, pause_cause_};
  }
  if (paused_until_ > now) return {WaitReason::kAskedTo, paused_until_, pause_cause_};
  const TimePoint ready = rates_ready_at();
  if (ready > now && ready != TimePoint::max()) return {WaitReason::kRate, ready, {}};
  if (lease_failed_ || lease_pending_) return {WaitReason::kStore, {}, {}};
  return {WaitReason::kTurn, now, {}};
}

Wait LaneState::wait_of(Ticket ticket, TimePoint now) const {
  Wait wait = obstacle(now);
  if (!wait.until) return wait;
  const auto ahead = static_cast<Duration::rep>(queue_.ahead_of(ticket));
  const Meter& requests = meter(Metered::kRequests);
  const Duration by_rate =
      requests.limit() ? Pace::of(*requests.limit()).interval * ahead : Duration::zero();
  const Duration by_window = mean_latency_ * (ahead + 1) / window_.size();
  if (wait.reason == WaitReason::kTurn && by_rate > by_window) wait.reason = WaitReason::kRate;
  *wait.until += std::max(by_rate, wait.reason == WaitReason::kTurn ? by_window : by_rate);
  if (wait.reason == WaitReason::kTurn && mean_latency_ == Duration::zero()) wait.until.reset();
  return wait;
}

}  // namespace clever::provider::governor
