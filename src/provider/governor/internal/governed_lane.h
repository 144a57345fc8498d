#pragma once
#include <deque>
#include <memory>
#include <unordered_map>
#include <variant>

#include "base/clock.h"
#include "base/guarded.h"
#include "provider/governor/alarms.h"
#include "provider/governor/circuit_news.h"
#include "provider/governor/internal/lane_state.h"
#include "provider/governor/lane.h"
#include "provider/governor/shared_limits.h"

namespace clever::provider::governor {

/// Drives a LaneState: makes every change under its lock, together with all its consequences, and
/// delivers the resulting events afterwards, without the lock, in order, one thread at a time. So a
/// waiter gets its place, withdrawal and waits one after the other, and a backend that answers at
/// once does not deepen the stack.
///
/// Thread-safe. Held by the governor and by its callers.
class GovernedLane final : public Lane, public std::enable_shared_from_this<GovernedLane> {
 public:
  struct Parts {
    base::Clock& clock;
    SharedLimits* shared;
    CircuitNews* news;
  };

  GovernedLane(LaneKey key, const Parts& parts, LaneState state);
  /// Call first, once a shared_ptr holds it.
  void connect(Alarms& alarms);

  [[nodiscard]] const LaneKey& key() const noexcept override { return key_; }
  base::Result<void> acquire(PlaceRequest request, std::shared_ptr<PlaceWaiter> waiter) override;
  void cancel(Ticket ticket) override;
  void begin(Ticket ticket) override;
  void observe(Ticket ticket, const RateObservation& rates) override;
  void settle(Ticket ticket, const Settlement& settlement) override;
  [[nodiscard]] std::optional<base::TimePoint> unavailable_until() const override;
  [[nodiscard]] std::optional<Wait> long_wait() const override;
  [[nodiscard]] LaneView view() const override;

  void configure(const PerMetered<std::optional<RateLimit>>& limits, std::int64_t most_concurrent);
  void reset();
  /// Drops the waiting calls: they hold the lane, and would keep it forever.
  void abandon();

 private:
  struct ToWaiter {
    std::shared_ptr<PlaceWaiter> waiter;
    decltype(LaneEvent::what) what;
  };
  struct LeaseWanted {
    PerMetered<std::int64_t> amounts;
  };
  struct CircuitChange {
    bool open;
    base::TimePoint next_probe;
  };
  using Delivery = std::variant<ToWaiter, LeaseWanted, LaneNews, CircuitChange>;
  using Deliveries = std::deque<Delivery>;

  struct Guard {
    LaneState lane;
    std::unordered_map<Ticket, std::shared_ptr<PlaceWaiter>> waiters{};
    Deliveries outbox{};
    bool delivering = false;
    std::unique_ptr<Alarm> alarm{};
    base::TimePoint alarm_at = base::TimePoint::max();
    bool told_open = false;
  };

  // Makes one change, f(Guard&, now, LaneEvents&), and delivers its consequences.
  template <class F>
  void step(F&& change);
  void ring();
  void collect(Guard& guard, LaneEvents& events, base::TimePoint now) const;
  static void address(Guard& guard, LaneEvents& events);
  void notice_circuit(Guard& guard) const;
  static void set_alarm(Guard& guard, base::TimePoint at);
  // What this thread should deliver: nothing while another does.
  static Deliveries claim(Guard& guard);
  void deliver(Deliveries deliveries);
  void deliver(Delivery& delivery);
  void ask_for(const PerMetered<std::int64_t>& amounts);

  // Constant after construction.
  const LaneKey key_;
  const Parts parts_;
  base::Guarded<Guard> guard_;
};

}  // namespace clever::provider::governor
