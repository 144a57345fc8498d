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

/// When circuits open, and how they are probed.
struct CircuitOptions {
  /// This many failures in a row open it.
  std::uint32_t failure_threshold = 3;
  /// The first pause; each failed probe doubles it, up to the longest.
  Duration cool_down = std::chrono::seconds(5);
  Duration longest_cool_down = std::chrono::minutes(2);
  /// A pause is up to this fraction longer, at random, so that callers do not return together.
  double jitter = 0.2;
  /// A probe that is not settled after this time has failed.
  Duration probe_deadline = std::chrono::minutes(10);
};

/// Guards one resource (a provider's model, a context strategy): decides whether it may be called
/// now.
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
/// A permit of an older generation only counts in the total of failures, which includes every
/// failure once; an overdue probe counts from the moment it is overdue.
///
/// Thread-safe; may be used under a leaf lock. While it is closed without failures, asking and
/// succeeding read one word and write nothing. Shared ownership.
class Circuit {
  enum class Settled : std::uint8_t { kSuccess, kFailure, kAbandoned };

 public:
  /// The right to make one call. Settled exactly once: by succeed(), fail(), or, abandoned, by the
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
    /// Whether it is the one call that decides whether the circuit closes.
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
    /// When open: the time of the next probe; when half-open: when the present one is overdue.
    TimePoint next_probe{};
  };

  /// The clock and random must outlive it.
  Circuit(Clock& clock, Random& random, const CircuitOptions& options);
  Circuit(const Circuit&) = delete;
  Circuit& operator=(const Circuit&) = delete;

  /// None while it is open, or half-open with a probe in progress.
  [[nodiscard]] std::optional<Permit> try_acquire();
  void reset();
  [[nodiscard]] View view() const;
  /// When to ask again: the beginning of time if it is closed.
  [[nodiscard]] TimePoint next_attempt() const;

 private:
  struct State {
    CircuitState state = CircuitState::kClosed;
    std::uint64_t generation = 1;
    std::uint32_t consecutive = 0;
    // How often in a row it opened without closing, which sets the length of its pause.
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
  // Runs f(State&) under the lock and publishes the result.
  template <class F>
  auto change(F&& f);

  // Constant after construction.
  Clock& clock_;
  Random& random_;
  const CircuitOptions options_;
  // Publishes a summary of the state: generation << 2 | closed << 1 | "closed without failures".
  Atomic<std::uint64_t> word_;
  Guarded<State, LockRank::kCircuit> state_;
};

/// The circuits of many keys. Thread-safe; the clock and random must outlive it.
class CircuitBreaker {
 public:
  CircuitBreaker(Clock& clock, Random& random, CircuitOptions options = {})
      : clock_(clock), random_(random), options_(options) {}

  /// The circuit of a key, created closed; the same one for the breaker's life. Resolve it once and
  /// keep it: using it needs no look-up.
  [[nodiscard]] std::shared_ptr<Circuit> circuit(std::string_view key);
  /// The permit must not outlive the breaker.
  [[nodiscard]] std::optional<Circuit::Permit> try_acquire(std::string_view key) {
    return circuit(key)->try_acquire();
  }
  /// False without such a circuit.
  bool reset(std::string_view key);
  void reset_all();
  /// All of them, sorted by key.
  [[nodiscard]] std::vector<std::pair<std::string, Circuit::View>> list() const;

 private:
  // Circuits are never removed.
  using Circuits = std::map<std::string, std::shared_ptr<Circuit>, std::less<>>;
  [[nodiscard]] Circuits all() const;

  // Constant after construction.
  Clock& clock_;
  Random& random_;
  const CircuitOptions options_;
  Guarded<Circuits> circuits_;
};

}  // namespace clever::base
