#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/random.h"

namespace clever::base {

enum class CircuitState : std::uint8_t { kClosed, kOpen, kHalfOpen };
[[nodiscard]] std::string_view to_string(CircuitState state) noexcept;  // "closed", "open", …

/// When circuits open and how they are tried again.
struct CircuitOptions {
  /// So many failures in a row open it.
  std::uint32_t failure_threshold = 3;
  /// The first pause; each failed probe doubles it up to the longest.
  Duration cool_down = std::chrono::seconds(5);
  Duration longest_cool_down = std::chrono::minutes(2);
  /// A pause is up to this fraction longer, at random, so that many do not come back at once.
  double jitter = 0.2;
  /// A probe that has not been settled after this time has failed.
  Duration probe_deadline = std::chrono::minutes(10);
};

/// One guarded thing (a provider's model, a context strategy): whether it may be called now.
///
///     state      event                             next
///     closed     failure, fewer than threshold     closed, count + 1
///     closed     success                           closed, count = 0
///     closed     failure that reaches threshold    open, new generation
///     open       asked after the pause             half-open, new generation; one probe
///     half-open  probe succeeds                    closed, new generation
///     half-open  probe fails or is overdue         open with a longer pause, new generation
///     half-open  probe abandoned                   open with its pause over, new generation
///     any        reset()                           closed, new generation
///
/// A permit of an older generation changes nothing but the counter of all failures, in which every
/// failure is once; an overdue probe is there from the moment it is overdue.
///
/// Thread-safe; may be used under a leaf lock. While it is closed and nothing fails, asking and
/// succeeding read one word and write nothing. Lives as long as somebody holds it.
class Circuit {
  enum class Settled : std::uint8_t { kSuccess, kFailure, kAbandoned };

 public:
  /// Leave to make one call. Settled exactly once: by succeed(), fail(), or, abandoned, by the
  /// destructor. Move-only; must not outlive its circuit.
  class [[nodiscard]] Permit {
   public:
    Permit(Permit&& other) noexcept
        : circuit_(std::exchange(other.circuit_, nullptr)),
          generation_(other.generation_),
          probe_(other.probe_) {}
    Permit& operator=(Permit&& other) noexcept;
    ~Permit() { abandon(); }

    void succeed() { settle(Settled::kSuccess); }
    void fail() { settle(Settled::kFailure); }
    void abandon() { settle(Settled::kAbandoned); }
    /// Whether it is the one call that decides whether a circuit closes again.
    [[nodiscard]] bool is_probe() const noexcept { return probe_; }

   private:
    friend class Circuit;
    Permit(Circuit& circuit, std::uint64_t generation, bool probe) noexcept
        : circuit_(&circuit), generation_(generation), probe_(probe) {}
    void settle(Settled how) {
      if (Circuit* circuit = std::exchange(circuit_, nullptr)) {
        circuit->settle(generation_, probe_, how);
      }
    }

    Circuit* circuit_;
    std::uint64_t generation_;
    bool probe_;
  };

  struct View {
    CircuitState state = CircuitState::kClosed;
    std::uint32_t consecutive_failures = 0;
    /// Never reset.
    std::uint64_t total_failures = 0;
    std::uint64_t times_opened = 0;
    /// When the next probe may go, if open; when the present one is overdue, if half-open.
    TimePoint next_probe{};
  };

  /// The clock and random must outlive it.
  Circuit(Clock& clock, Random& random, const CircuitOptions& options);
  Circuit(const Circuit&) = delete;
  Circuit& operator=(const Circuit&) = delete;

  /// None while it is open, or half-open with its probe under way.
  [[nodiscard]] std::optional<Permit> try_acquire();
  void reset();
  [[nodiscard]] View view() const;
  /// When asking again makes sense: the beginning of time if it is closed.
  [[nodiscard]] TimePoint next_attempt() const;

 private:
  struct State {
    CircuitState state = CircuitState::kClosed;
    std::uint64_t generation = 1;
    std::uint32_t consecutive = 0;
    // How often in a row it has opened without closing in between: the length of its pause.
    std::uint32_t pauses = 0;
    std::uint64_t failures = 0;
    std::uint64_t opened = 0;
    TimePoint next_probe{};
    // Probes that were counted as failures before they were settled.
    std::set<std::uint64_t> overdue{};
  };

  std::optional<Permit> try_acquire_slowly();
  void settle(std::uint64_t generation, bool probe, Settled how);
  void settle_current(State& state, Settled how, TimePoint now, double chance) const;
  void enter(State& state, CircuitState next) const;
  void open(State& state, TimePoint now, double chance) const;
  [[nodiscard]] Duration pause(std::uint32_t pauses, double chance) const;
  // Runs f(State&) under the lock and publishes what it made of it.
  template <class F>
  auto change(F&& f);

  // Constant after construction.
  Clock& clock_;
  Random& random_;
  const CircuitOptions options_;
  // Publishes of the state: generation << 2 | closed << 1 | "closed and no failure counted".
  Atomic<std::uint64_t> word_;
  Guarded<State, LockRank::kCircuit> state_;
};

/// The circuits of many keys. Thread-safe; the clock and random must outlive it.
class CircuitBreaker {
 public:
  CircuitBreaker(Clock& clock, Random& random, CircuitOptions options = {})
      : clock_(clock), random_(random), options_(options) {}

  /// The circuit of a key, made closed if new; the same one for the breaker's life. Resolve it once
  /// and keep it: asking it needs no lookup.
  [[nodiscard]] std::shared_ptr<Circuit> circuit(std::string_view key);
  /// The permit must not outlive the breaker.
  [[nodiscard]] std::optional<Circuit::Permit> try_acquire(std::string_view key) {
    return circuit(key)->try_acquire();
  }
  /// False if there is no such circuit.
  bool reset(std::string_view key);
  void reset_all();
  /// All of them, by key.
  [[nodiscard]] std::vector<std::pair<std::string, Circuit::View>> list() const;

 private:
  // None is ever removed.
  using Circuits = std::map<std::string, std::shared_ptr<Circuit>, std::less<>>;
  [[nodiscard]] Circuits all() const;

  // Constant after construction.
  Clock& clock_;
  Random& random_;
  const CircuitOptions options_;
  Guarded<Circuits> circuits_;
};

}  // namespace clever::base
