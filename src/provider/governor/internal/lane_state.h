#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "provider/governor/internal/fair_queue.h"
#include "provider/governor/internal/guessed_pace.h"
#include "provider/governor/internal/meter.h"
#include "provider/governor/internal/window.h"
#include "provider/governor/lane.h"
#include "provider/governor/shared_limits.h"

namespace clever::provider::governor {

struct LaneOptions {
  std::size_t queue_limit = 100'000;
  std::int64_t most_concurrent = 256;
  /// Slots come from SharedLimits.
  bool leased = false;
  /// Limits that a person set; the provider's own limits apply as well.
  PerMetered<std::optional<RateLimit>> limits{};
  /// The first window size; 0: one, until more is known.
  std::int64_t first_concurrent = 0;
};

/// The event of a ticket. After a place or a withdrawal no event follows.
struct PlaceGiven {};
struct LaneEvent {
  Ticket ticket{};
  std::variant<PlaceGiven, Withdrawal, Wait> what;
};
using LaneEvents = std::vector<LaneEvent>;

/// The knowledge and all decisions of a lane, as a state machine.
///
///     ticket    event                                     next
///     –         enter()                                   queued, or running at once
///     queued    poll(): its turn, and all of              running (PlaceGiven)
///               pause, window, meters, circuit allow
///     queued    poll(): patience over; the circuit open   gone (Withdrawal)
///               and it leaves then
///     queued    cancel()                                  gone (Withdrawal)
///     running   settle()                                  gone
///
/// Pure: time is an argument; no thread, no I/O. Only the circuit, which has its own clock, and the
/// jitter are exceptions. After each change poll() returns its consequences, and next_event() says
/// when to poll again if nothing else happens.
class LaneState {
 public:
  LaneState(const LaneOptions& options, std::shared_ptr<base::Circuit> circuit,
            base::Random& random);

  /// `resource_exhausted` if the queue is full.
  base::Result<void> enter(const PlaceRequest& request, base::TimePoint now, LaneEvents& events);
  void cancel(Ticket ticket, LaneEvents& events);
  void begin(Ticket ticket);
  void observe(Ticket ticket, const RateObservation& rates, base::TimePoint now);
  void settle(Ticket ticket, const Settlement& settlement, base::TimePoint now);
  void poll(base::TimePoint now, LaneEvents& events);
  [[nodiscard]] base::TimePoint next_event(base::TimePoint now) const;

  void configure(const PerMetered<std::optional<RateLimit>>& limits, std::int64_t most_concurrent);
  /// Forgets all failures.
  void reset();

  /// How much of each meter to lease now; leased() must follow.
  [[nodiscard]] std::optional<PerMetered<std::int64_t>> take_lease_request(base::TimePoint now);
  void leased(const base::Result<Lease>& lease, base::TimePoint now);
  /// News for the other processes; returns each once.
  [[nodiscard]] std::optional<LaneNews> take_news();

  [[nodiscard]] std::optional<base::TimePoint> unavailable_until(base::TimePoint now) const;
  /// Why no further call starts now, whatever the queue.
  [[nodiscard]] Wait obstacle(base::TimePoint now) const;
  [[nodiscard]] base::Circuit::View circuit_view() const { return circuit_->view(); }
  [[nodiscard]] base::CircuitState circuit_state() const { return circuit_->view().state; }
  /// Whether the circuit may be open or half-open.
  [[nodiscard]] bool circuit_suspect() const noexcept { return circuit_suspect_; }
  [[nodiscard]] LaneView view() const;
  [[nodiscard]] std::size_t queued() const noexcept { return queued_.size(); }
  [[nodiscard]] std::size_t running() const noexcept { return running_.size(); }
  [[nodiscard]] std::int64_t window() const noexcept { return window_.size(); }

 private:
  struct Queued {
    PlaceRequest request;
    base::TimePoint since;
    base::TimePoint notice;  // its place in notices_; max if it has none
  };
  struct Running {
    base::Circuit::Permit permit;
    base::TimePoint since;
    TokenCount tokens;
    bool begun = false;
    bool observed = false;
    bool accepted = false;  // counted in the window
    bool proven = false;    // counted in the circuit
  };
  using Agenda = std::set<std::pair<base::TimePoint, Ticket>>;

  // Starting.
  // When all meters allow the next start; max if a lease is needed first.
  [[nodiscard]] base::TimePoint rates_ready_at() const;
  bool try_start(const PlaceRequest& request, base::TimePoint now, LaneEvents& events);
  void start_waiting(base::TimePoint now, LaneEvents& events);
  void remove(Ticket ticket);
  void withdraw(Ticket ticket, Withdrawal why, LaneEvents& events);
  void expire(base::TimePoint now, LaneEvents& events);
  void let_leave(base::TimePoint now, LaneEvents& events);
  // When pause, meters and circuit allow the next start.
  [[nodiscard]] base::TimePoint startable_at() const;

  // Learning.
  // An answer is coming: the provider bears this many calls.
  void accept(Running& call);
  void prove_well(Running& call);
  void count_outcome(Running& call, const Settlement& settlement, base::TimePoint now);
  void fail(Running& call, const Settlement& settlement, base::TimePoint now);
  void meet_wall(const Running& call, const Settlement& settlement, base::TimePoint now);
  void pause_until(base::TimePoint until, std::optional<FailureKind> cause, base::TimePoint now);
  [[nodiscard]] base::Duration backoff();
  void correct_tokens(const Running& call, const Settlement& settlement);
  void learn(const RateObservation& rates, base::TimePoint now);
  void learn(Metered what, const RateHeader& header, base::TimePoint now);
  void apply_limits();
  void know();
  // Shares what this lane found out with other and later processes.
  void share_window();

  // Telling those who wait.
  void plan_notice(Queued& call, base::TimePoint at);
  void plan_notices(base::TimePoint now);
  void give_notices(base::TimePoint now, LaneEvents& events);
  [[nodiscard]] Wait wait_of(Ticket ticket, base::TimePoint now) const;

  // Leasing.
  [[nodiscard]] bool lacks_slots() const;
  void take_runs(const Lease& lease, base::TimePoint now);
  void adapt_batch(bool came_late);
  Meter& meter(Metered what) { return meters_[static_cast<std::size_t>(what)]; }
  [[nodiscard]] const Meter& meter(Metered what) const {
    return meters_[static_cast<std::size_t>(what)];
  }

  LaneOptions options_;
  std::shared_ptr<base::Circuit> circuit_;
  base::Random* random_;

  FairQueue queue_;
  std::unordered_map<Ticket, Queued> queued_;
  std::unordered_map<Ticket, Running> running_;
  Agenda deadlines_;
  Agenda notices_;
  std::set<Ticket> leavers_;

  PerMetered<Meter> meters_;
  PerMetered<std::optional<RateLimit>> learned_{};
  GuessedPace guess_;  // used while the limit of requests is unknown
  Window window_;
  std::int64_t shared_window_ = 1;
  base::Duration mean_latency_{};
  double mean_tokens_ = 0;

  // One wall is one backoff, however many calls hit it: only calls that started after the last one
  // count.
  base::TimePoint paused_until_{};
  std::optional<FailureKind> pause_cause_{};
  base::TimePoint wall_met_ = base::TimePoint::min();
  unsigned walls_ = 0;
  bool circuit_suspect_ = false;

  bool known_ = false;
  bool lease_pending_ = false;
  bool lease_failed_ = false;
  base::TimePoint lease_again_at_{};
  std::int64_t batch_ = 1;
  std::int64_t lost_slots_ = 0;
  std::optional<LaneNews> news_{};
};

}  // namespace clever::provider::governor
