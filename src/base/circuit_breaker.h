#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
/// A permit of an older generation changes nothing but the counter of all failures.
/// Thread-safe and lock-free; a success while closed writes nothing. Lives as long as its breaker.
class Circuit {
 public:
  /// Leave to make one call. Settled exactly once: by succeed(), fail(), or, abandoned, by the
  /// destructor. Move-only; must not outlive its circuit.
  class [[nodiscard]] Permit {
   public:
    Permit(Permit&& other) noexcept
        : circuit_(std::exchange(other.circuit_, nullptr)), word_(other.word_) {}
    Permit& operator=(Permit&& other) noexcept;
    ~Permit() { abandon(); }

    void succeed();
    void fail();
    void abandon();
    /// Whether it is the one call that decides whether a circuit closes again.
    [[nodiscard]] bool is_probe() const noexcept;

   private:
    friend class Circuit;
    Permit(Circuit& circuit, std::uint64_t word) noexcept : circuit_(&circuit), word_(word) {}

    Circuit* circuit_;
    std::uint64_t word_;
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

  Circuit(Clock& clock, Random& random, const CircuitOptions& options);
  Circuit(const Circuit&) = delete;
  Circuit& operator=(const Circuit&) = delete;

  /// None while it is open, or half-open with its probe under way.
  [[nodiscard]] std::optional<Permit> try_acquire();
  void reset();
  [[nodiscard]] View view() const;
  /// When asking again makes sense: now or earlier if closed.
  [[nodiscard]] TimePoint next_attempt() const;
};

/// The circuits of many keys. Thread-safe; the clock and random must outlive it.
class CircuitBreaker {
 public:
  CircuitBreaker(Clock& clock, Random& random, CircuitOptions options = {});

  /// The circuit of a key, made closed if new; stays where it is for the breaker's life. Resolve it
  /// once and keep it: asking it needs no lookup.
  [[nodiscard]] Circuit& circuit(std::string_view key);
  [[nodiscard]] std::optional<Circuit::Permit> try_acquire(std::string_view key);
  /// False if there is no such circuit.
  bool reset(std::string_view key);
  void reset_all();
  [[nodiscard]] std::vector<std::pair<std::string, Circuit::View>> list() const;
};

}  // namespace clever::base
