#include "context/internal/strategy_turns.h"

#include <algorithm>
#include <utility>

namespace clever::context::internal {

StrategyTurns::StrategyTurns(std::size_t places) {
  state_.with([&](State& state) { state.places.resize(places); });
}

std::optional<std::size_t> StrategyTurns::State::free_place() const {
  const auto free = std::ranges::find_if(places, [](const auto& until) { return !until; });
  if (free == places.end()) return std::nullopt;
  return static_cast<std::size_t>(free - places.begin());
}

base::TimePoint StrategyTurns::State::earliest() const {
  base::TimePoint earliest = base::TimePoint::max();
  for (const auto& until : places) earliest = std::min(earliest, until.value_or(earliest));
  return earliest;
}

void StrategyTurns::State::enter(const void* who, const std::shared_ptr<StrategyBell>& bell) {
  const bool waits =
      std::ranges::any_of(queue, [&](const Waiting& waiting) { return waiting.who == who; });
  if (!waits) queue.push_back({who, bell});
}

void StrategyTurns::State::remove(const void* who) {
  std::erase_if(queue, [&](const Waiting& waiting) { return waiting.who == who; });
}

StrategyTurns::Answer StrategyTurns::State::answer(const void* who, base::TimePoint now,
                                                   base::TimePoint until) {
  const base::TimePoint again = earliest();
  if (again <= now) {
    remove(who);
    return {.kind = Answer::Kind::kOverdue};
  }
  const auto place = free_place();
  if (!place || queue.front().who != who) return {.kind = Answer::Kind::kWait, .again = again};
  remove(who);
  // Set at once: waiting callers must know when the run is overdue.
  places[*place] = until;
  return {.kind = Answer::Kind::kGranted, .place = *place};
}

std::shared_ptr<StrategyBell> StrategyTurns::State::next() const {
  return queue.empty() || !free_place() ? nullptr : queue.front().bell;
}

template <class F>
auto StrategyTurns::change(F&& f) {
  std::shared_ptr<StrategyBell> bell;
  struct Ring {
    const std::shared_ptr<StrategyBell>& bell;
    ~Ring() {
      if (bell != nullptr) bell->ring();
    }
  };
  const Ring ring{bell};
  return state_.with([&](State& state) {
    struct Next {
      const State& state;
      std::shared_ptr<StrategyBell>& bell;
      ~Next() { bell = state.next(); }
    };
    const Next next{state, bell};
    return std::forward<F>(f)(state);
  });
}

StrategyTurns::Answer StrategyTurns::ask(const void* who, const std::shared_ptr<StrategyBell>& bell,
                                         base::TimePoint now, base::TimePoint until) {
  return change([&](State& state) {
    state.enter(who, bell);
    return state.answer(who, now, until);
  });
}

void StrategyTurns::leave(const void* who) {
  change([&](State& state) { state.remove(who); });
}

void StrategyTurns::end(std::size_t place) {
  change([&](State& state) { state.places[place].reset(); });
}

}  // namespace clever::context::internal
