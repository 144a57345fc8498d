#include "provider/governor/internal/governed_lane.h"

#include <utility>

namespace clever::provider::governor {

using base::TimePoint;

namespace {

// A thread that came for something else delivers at most this many events; the alarm delivers the
// rest.
constexpr std::size_t kMostAtOnce = 256;

}  // namespace

GovernedLane::GovernedLane(LaneKey key, const Parts& parts, LaneState state)
    : key_(std::move(key)), parts_(parts), guard_(std::in_place, Guard{std::move(state)}) {}

void GovernedLane::connect(Alarms& alarms) {
  auto alarm = alarms.make([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->ring();
  });
  guard_.with([&](Guard& guard) { guard.alarm = std::move(alarm); });
}

template <class F>
void GovernedLane::step(F&& change) {
  const TimePoint now = parts_.clock.now();
  deliver(guard_.with([&](Guard& guard) {
    LaneEvents events;
    std::forward<F>(change)(guard, now, events);
    guard.lane.poll(now, events);
    collect(guard, events, now);
    return claim(guard);
  }));
}

void GovernedLane::collect(Guard& guard, LaneEvents& events, TimePoint now) const {
  address(guard, events);
  if (parts_.shared != nullptr) {
    // Reports news before the lease, so that the lease takes it into account.
    if (const auto news = guard.lane.take_news()) guard.outbox.emplace_back(*news);
    if (auto wanted = guard.lane.take_lease_request(now)) {
      guard.outbox.emplace_back(LeaseWanted{*wanted});
    }
  }
  if (parts_.news != nullptr) notice_circuit(guard);
  set_alarm(guard, guard.lane.next_event(now));
}

void GovernedLane::address(Guard& guard, LaneEvents& events) {
  for (LaneEvent& event : events) {
    const auto waiter = guard.waiters.find(event.ticket);
    if (waiter == guard.waiters.end()) continue;
    if (std::holds_alternative<Wait>(event.what)) {
      guard.outbox.emplace_back(ToWaiter{waiter->second, event.what});
    } else {
      guard.outbox.emplace_back(ToWaiter{std::move(waiter->second), event.what});
      guard.waiters.erase(waiter);
    }
  }
}

void GovernedLane::notice_circuit(Guard& guard) const {
  if (!guard.lane.circuit_suspect() && !guard.told_open) return;
  const base::Circuit::View view = guard.lane.circuit_view();
  const bool open = view.state != base::CircuitState::kClosed;
  if (open == guard.told_open) return;
  guard.told_open = open;
  guard.outbox.emplace_back(CircuitChange{open, view.next_probe});
}

void GovernedLane::set_alarm(Guard& guard, TimePoint at) {
  // An alarm that rings too early sets itself again, so it never moves back.
  if (at >= guard.alarm_at) return;
  guard.alarm_at = at;
  guard.alarm->set(at);
}

GovernedLane::Deliveries GovernedLane::claim(Guard& guard) {
  if (guard.delivering) return {};
  guard.delivering = !guard.outbox.empty();
  return std::exchange(guard.outbox, {});
}

void GovernedLane::deliver(Deliveries deliveries) {
  std::size_t delivered = 0;
  while (!deliveries.empty()) {
    for (Delivery& delivery : deliveries) deliver(delivery);
    delivered += deliveries.size();
    deliveries.clear();
    deliveries = guard_.with([&](Guard& guard) {
      guard.delivering = false;
      if (delivered < kMostAtOnce || guard.outbox.empty()) return claim(guard);
      set_alarm(guard, TimePoint::min());
      return Deliveries{};
    });
  }
}

void GovernedLane::deliver(Delivery& delivery) {
  if (auto* to = std::get_if<ToWaiter>(&delivery)) {
    if (const auto* wait = std::get_if<Wait>(&to->what)) return to->waiter->on_wait(*wait);
    if (const auto* why = std::get_if<Withdrawal>(&to->what)) return to->waiter->on_withdrawn(*why);
    return to->waiter->on_place();
  }
  if (const auto* lease = std::get_if<LeaseWanted>(&delivery)) return ask_for(lease->amounts);
  if (const auto* news = std::get_if<LaneNews>(&delivery))
    return parts_.shared->report(key_, *news);
  const auto& change = std::get<CircuitChange>(delivery);
  if (change.open) return parts_.news->opened(key_, change.next_probe);
  parts_.news->closed(key_);
}

void GovernedLane::ask_for(const PerMetered<std::int64_t>& amounts) {
  parts_.shared->lease(key_, amounts, [weak = weak_from_this()](const base::Result<Lease>& lease) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->step([&](Guard& guard, TimePoint now, LaneEvents&) { guard.lane.leased(lease, now); });
  });
}

void GovernedLane::ring() {
  step([](Guard& guard, TimePoint, LaneEvents&) { guard.alarm_at = TimePoint::max(); });
}

base::Result<void> GovernedLane::acquire(PlaceRequest request,
                                         std::shared_ptr<PlaceWaiter> waiter) {
  base::Result<void> entered;
  step([&](Guard& guard, TimePoint now, LaneEvents& events) {
    entered = guard.lane.enter(request, now, events);
    if (entered.ok()) guard.waiters.emplace(request.ticket, std::move(waiter));
  });
  return entered;
}

void GovernedLane::cancel(Ticket ticket) {
  step([&](Guard& guard, TimePoint, LaneEvents& events) { guard.lane.cancel(ticket, events); });
}

void GovernedLane::begin(Ticket ticket) {
  step([&](Guard& guard, TimePoint, LaneEvents&) { guard.lane.begin(ticket); });
}

void GovernedLane::observe(Ticket ticket, const RateObservation& rates) {
  step([&](Guard& guard, TimePoint now, LaneEvents&) { guard.lane.observe(ticket, rates, now); });
}

void GovernedLane::settle(Ticket ticket, const Settlement& settlement) {
  step([&](Guard& guard, TimePoint now, LaneEvents&) {
    guard.lane.settle(ticket, settlement, now);
  });
}

void GovernedLane::configure(const PerMetered<std::optional<RateLimit>>& limits,
                             std::int64_t most_concurrent) {
  step(
      [&](Guard& guard, TimePoint, LaneEvents&) { guard.lane.configure(limits, most_concurrent); });
}

void GovernedLane::reset() {
  step([](Guard& guard, TimePoint, LaneEvents&) { guard.lane.reset(); });
}

void GovernedLane::abandon() {
  // Destroyed without the lock.
  const auto waiters = guard_.with([](Guard& guard) { return std::exchange(guard.waiters, {}); });
}

std::optional<Wait> GovernedLane::long_wait() const {
  const TimePoint now = parts_.clock.now();
  const Wait wait = guard_.with([now](const Guard& guard) { return guard.lane.obstacle(now); });
  if (!wait.until || *wait.until <= now + kLongWait) return std::nullopt;
  return wait;
}

std::optional<TimePoint> GovernedLane::unavailable_until() const {
  const TimePoint now = parts_.clock.now();
  return guard_.with([&](const Guard& guard) { return guard.lane.unavailable_until(now); });
}

LaneView GovernedLane::view() const {
  LaneView view = guard_.with([](const Guard& guard) { return guard.lane.view(); });
  view.key = key_;
  return view;
}

}  // namespace clever::provider::governor
