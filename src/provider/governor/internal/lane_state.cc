#include "provider/governor/internal/lane_state.h"

#include <algorithm>

#include "base/check.h"

namespace clever::provider::governor {

using base::TimePoint;

LaneState::LaneState(const LaneOptions& options, std::shared_ptr<base::Circuit> circuit,
                     base::Random& random)
    : options_(options),
      circuit_(std::move(circuit)),
      random_(&random),
      window_(options_.most_concurrent) {
  meters_.fill(Meter(options_.leased ? Meter::Source::kLeased : Meter::Source::kOwn));
  meter(Metered::kRequests).cold(options_.leased);
  const auto limited = [](const auto& limit) { return limit.has_value(); };
  if (std::ranges::any_of(options_.limits, limited)) apply_limits();
  if (options_.limits[0]) know();
  if (options_.first_concurrent > 0) window_.start_at(options_.first_concurrent);
}

void LaneState::configure(const PerMetered<std::optional<RateLimit>>& limits,
                          std::int64_t most_concurrent) {
  window_.limit(most_concurrent);
  if (options_.limits == limits) return;
  options_.limits = limits;
  apply_limits();
  if (known_) know();
}

base::Result<void> LaneState::enter(const PlaceRequest& request, TimePoint now,
                                    LaneEvents& events) {
  if (queued_.size() >= options_.queue_limit) {
    return base::resource_exhausted(
        std::to_string(queued_.size()) +
        " calls already wait for this model: run fewer plans at once, or try again later");
  }
  // Without waiting calls there is no need to queue. With leases, slots may have to come first.
  if (queue_.empty() && now < request.patience && try_start(request, now, events)) return {};
  queue_.push(request.flow, request.ticket, request.again);
  Queued& call =
      queued_.emplace(request.ticket, Queued{request, now, TimePoint::max()}).first->second;
  if (request.patience != TimePoint::max()) deadlines_.emplace(request.patience, request.ticket);
  if (request.leaves_if_unavailable) leavers_.insert(request.ticket);
  const TimePoint startable = startable_at();
  const bool long_wait = startable != TimePoint::max() && startable - now > kLongWait;
  plan_notice(call, long_wait ? now : now + kLongWait);
  return {};
}

void LaneState::remove(Ticket ticket) {
  const auto found = queued_.find(ticket);
  const Queued& call = found->second;
  deadlines_.erase({call.request.patience, ticket});
  notices_.erase({call.notice, ticket});
  leavers_.erase(ticket);
  queued_.erase(found);
}

void LaneState::withdraw(Ticket ticket, Withdrawal why, LaneEvents& events) {
  queue_.remove(ticket);
  remove(ticket);
  events.push_back({ticket, why});
}

void LaneState::cancel(Ticket ticket, LaneEvents& events) {
  if (queued_.contains(ticket)) withdraw(ticket, Withdrawal::kCancelled, events);
}

void LaneState::expire(TimePoint now, LaneEvents& events) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    withdraw(deadlines_.begin()->second, Withdrawal::kPatience, events);
  }
}

void LaneState::let_leave(TimePoint now, LaneEvents& events) {
  if (leavers_.empty() || !unavailable_until(now)) return;
  while (!leavers_.empty()) withdraw(*leavers_.begin(), Withdrawal::kUnavailable, events);
}

std::optional<TimePoint> LaneState::unavailable_until(TimePoint now) const {
  if (!circuit_suspect_) return std::nullopt;
  const TimePoint next = circuit_->next_attempt();
  return next > now ? std::optional(next) : std::nullopt;
}

TimePoint LaneState::rates_ready_at() const {
  TimePoint at = guess_.ready_at();
  for (const Meter& each : meters_) at = std::max(at, each.ready_at());
  return at;
}

bool LaneState::try_start(const PlaceRequest& request, TimePoint now, LaneEvents& events) {
  const bool room = static_cast<std::int64_t>(running_.size()) < window_.size();
  if (!room || paused_until_ > now || rates_ready_at() > now) return false;
  // Last, because a permit that was taken must be used.
  auto permit = circuit_->try_acquire();
  if (!permit) {
    circuit_suspect_ = true;
    return false;
  }
  const TokenCount tokens = request.tokens;
  guess_.on_start(now);
  meter(Metered::kRequests).take(1, now);
  meter(Metered::kTokens).take(tokens.input + tokens.output, now);
  meter(Metered::kInputTokens).take(tokens.input, now);
  meter(Metered::kOutputTokens).take(tokens.output, now);
  const bool is_new =
      running_.emplace(request.ticket, Running{std::move(*permit), now, tokens}).second;
  CLEVER_CHECK(is_new, "a place is given once");
  events.push_back({request.ticket, PlaceGiven{}});
  return true;
}

void LaneState::start_waiting(TimePoint now, LaneEvents& events) {
  while (const auto ticket = queue_.next()) {
    if (!try_start(queued_.at(*ticket).request, now, events)) return;
    (void)queue_.pop();
    remove(*ticket);
  }
}

void LaneState::poll(TimePoint now, LaneEvents& events) {
  if (options_.leased) {
    lost_slots_ += meter(Metered::kRequests).expire(now);
    for (Meter& each : meters_) (void)each.expire(now);
  }
  if (queue_.empty()) return;
  expire(now, events);
  start_waiting(now, events);
  let_leave(now, events);
  give_notices(now, events);
}

TimePoint LaneState::startable_at() const {
  TimePoint at = paused_until_;
  if (circuit_suspect_) at = std::max(at, circuit_->next_attempt());
  // The lane asks for a lease once everything else allows a start; the lease wakes it.
  const TimePoint ready = rates_ready_at();
  return std::max(at, ready == TimePoint::max() ? lease_again_at_ : ready);
}

TimePoint LaneState::next_event(TimePoint now) const {
  if (queue_.empty()) return TimePoint::max();
  TimePoint next = TimePoint::max();
  if (!deadlines_.empty()) next = std::min(next, deadlines_.begin()->first);
  if (!notices_.empty()) next = std::min(next, notices_.begin()->first);
  if (static_cast<std::int64_t>(running_.size()) >= window_.size()) return next;
  const TimePoint startable = startable_at();
  // A time in the past means that the lane waits for a lease.
  return startable > now ? std::min(next, startable) : next;
}

void LaneState::reset() {
  circuit_->reset();
  circuit_suspect_ = false;
  paused_until_ = {};
  pause_cause_.reset();
  walls_ = 0;
  for (Meter& each : meters_) each.release_hold();
}

LaneView LaneState::view() const {
  const auto per_minute = [](const Meter& each) -> std::optional<std::int64_t> {
    if (!each.limit()) return std::nullopt;
    const double windows = std::chrono::duration<double>(std::chrono::minutes(1)) /
                           std::chrono::duration<double>(each.limit()->window);
    return static_cast<std::int64_t>(static_cast<double>(each.limit()->limit) * windows);
  };
  return {{},
          queued_.size(),
          running_.size(),
          window_.size(),
          per_minute(meter(Metered::kRequests)),
          per_minute(meter(Metered::kTokens)),
          paused_until_,
          circuit_->view()};
}

}  // namespace clever::provider::governor
