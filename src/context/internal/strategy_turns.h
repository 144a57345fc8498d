#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "context/internal/strategy_bell.h"

namespace clever::context::internal {

/// Decides which caller may run a strategy: as many as there are places, first come first served,
/// and none while a run is overdue.
///
///     place    event                              next
///     free     asked by the first in the queue    taken until its time is up
///     taken    end(): returned, or was not used   free
///     taken    asked after `until`                overdue: every caller is refused
///     overdue  end(): it returned at last         free
///
/// Shared by the executor and the strategy's threads, which may outlive it. Thread-safe.
class StrategyTurns {
 public:
  explicit StrategyTurns(std::size_t places);

  struct Answer {
    enum class Kind : std::uint8_t { kGranted, kWait, kOverdue };
    Kind kind = Kind::kWait;
    std::size_t place = 0;
    /// When to ask again, unless the bell rings earlier.
    base::TimePoint again{};
  };
  /// Adds `who` to the queue if it is not in it; granted (until then) and overdue end its wait. The
  /// bell rings when asking again makes sense.
  [[nodiscard]] Answer ask(const void* who, const std::shared_ptr<StrategyBell>& bell,
                           base::TimePoint now, base::TimePoint until);
  /// Ends the wait of `who`.
  void leave(const void* who);

  void end(std::size_t place);

 private:
  struct Waiting {
    const void* who = nullptr;
    std::shared_ptr<StrategyBell> bell{};
  };
  struct State {
    // Until when each may be used; none: free.
    std::vector<std::optional<base::TimePoint>> places{};
    // In order of arrival.
    std::vector<Waiting> queue{};

    [[nodiscard]] std::optional<std::size_t> free_place() const;
    [[nodiscard]] base::TimePoint earliest() const;
    void enter(const void* who, const std::shared_ptr<StrategyBell>& bell);
    void remove(const void* who);
    [[nodiscard]] Answer answer(const void* who, base::TimePoint now, base::TimePoint until);
    // The caller whose turn is next.
    [[nodiscard]] std::shared_ptr<StrategyBell> next() const;
  };
  // Runs f(State&) and rings for the callers that may go next, outside the lock: a bell has its
  // own.
  template <class F>
  auto change(F&& f);

  base::Guarded<State> state_;
};

}  // namespace clever::context::internal
