#include "base/circuit_breaker.h"

#include <algorithm>

#include "base/plant.h"

namespace clever::base {
namespace {

constexpr std::uint64_t kClean = 1;
constexpr std::uint64_t kClosed = 2;
constexpr unsigned kGenerationShift = 2;

}  // namespace

std::string_view to_string(CircuitState state) noexcept {
  switch (state) {
    case CircuitState::kClosed:
      return "closed";
    case CircuitState::kOpen:
      return "open";
    case CircuitState::kHalfOpen:
      return "half-open";
  }
  return "closed";
}

Circuit::Permit& Circuit::Permit::operator=(Permit&& other) noexcept {
  if (this != &other) {
    abandon();
    circuit_ = std::exchange(other.circuit_, nullptr);
    generation_ = other.generation_;
    probe_ = other.probe_;
  }
  return *this;
}

Circuit::Circuit(Clock& clock, Random& random, const CircuitOptions& options)
    : clock_(clock),
      random_(random),
      options_(options),
      word_((State{}.generation << kGenerationShift) | kClosed | kClean) {}

template <class F>
auto Circuit::change(F&& f) {
  return state_.with([&](State& state) {
    // Published under the lock on the way out, so that words appear in the order of the changes.
    struct Publish {
      Atomic<std::uint64_t>& word;
      const State& state;
      ~Publish() {
        const bool closed = state.state == CircuitState::kClosed;
        word.store((state.generation << kGenerationShift) | (closed ? kClosed : 0) |
                   (closed && state.consecutive == 0 ? kClean : 0));
      }
    };
    const Publish publish{word_, state};
    return std::forward<F>(f)(state);
  });
}

std::optional<Circuit::Permit> Circuit::try_acquire() {
  const std::uint64_t word = word_.load();
  if ((word & kClosed) != 0) [[likely]]
    return Permit(*this, word >> kGenerationShift, false);
  return try_acquire_slowly();
}

std::optional<Circuit::Permit> Circuit::try_acquire_slowly() {
  const TimePoint now = clock_.now();
  const double chance = random_.uniform();
  return change([&](State& state) -> std::optional<Permit> {
    if (state.state == CircuitState::kClosed) return Permit(*this, state.generation, false);
    if (planted("circuit.never_probes")) return std::nullopt;
    const bool all_pass = planted("circuit.admits_all_when_half_open");
    if (all_pass && state.state == CircuitState::kHalfOpen) return Permit(*this, 0, false);
    if (now < state.next_probe) return std::nullopt;
    if (state.state == CircuitState::kHalfOpen) {
      state.overdue.insert(state.generation);
      ++state.failures;
      open(state, now, chance);
      return std::nullopt;
    }
    enter(state, CircuitState::kHalfOpen);
    state.next_probe = now + options_.probe_deadline;
    return Permit(*this, state.generation, true);
  });
}

void Circuit::settle(std::uint64_t generation, bool probe, Settled how) {
  const std::uint64_t word = word_.load();
  const bool current =
      word >> kGenerationShift == generation || planted("circuit.believes_stale_permits");
  // Nothing would change: the usual end of a call.
  if (how != Settled::kFailure && !probe && (!current || (word & kClean) != 0)) return;
  const TimePoint now = clock_.now();
  const double chance = how == Settled::kFailure ? random_.uniform() : 0;
  const bool in_two_steps = planted("circuit.counts_in_two_steps");
  const std::uint64_t seen = in_two_steps ? view().total_failures : 0;
  change([&](State& state) {
    const bool counted = probe && state.overdue.erase(generation) != 0;
    if (how == Settled::kFailure && !counted) {
      state.failures = (in_two_steps ? seen : state.failures) + 1;
    }
    if (generation == state.generation) {
      settle_current(state, how, now, chance);
    } else if (planted("circuit.believes_stale_permits") && how == Settled::kSuccess) {
      enter(state, CircuitState::kClosed);
    }
  });
}

void Circuit::settle_current(State& state, Settled how, TimePoint now, double chance) const {
  const bool probe = state.state == CircuitState::kHalfOpen;
  switch (how) {
    case Settled::kSuccess:
      if (probe) enter(state, CircuitState::kClosed);
      state.consecutive = 0;
      state.pauses = 0;
      return;
    case Settled::kFailure:
      ++state.consecutive;
      if (probe || state.consecutive >= options_.failure_threshold) open(state, now, chance);
      return;
    case Settled::kAbandoned:
      if (!probe) return;
      enter(state, CircuitState::kOpen);
      state.next_probe = now;
      return;
  }
}

void Circuit::enter(State& state, CircuitState next) const {
  state.state = next;
  ++state.generation;
}

void Circuit::open(State& state, TimePoint now, double chance) const {
  enter(state, CircuitState::kOpen);
  ++state.opened;
  state.next_probe = now + pause(state.pauses, chance);
  ++state.pauses;
}

Duration Circuit::pause(std::uint32_t pauses, double chance) const {
  Duration length = std::min(options_.cool_down, options_.longest_cool_down);
  for (std::uint32_t i = 0; i < pauses && length < options_.longest_cool_down; ++i) {
    length = std::min(length * 2, options_.longest_cool_down);
  }
  const double longer = static_cast<double>(length.count()) * options_.jitter * chance;
  return length + Duration(static_cast<Duration::rep>(longer));
}

void Circuit::reset() {
  change([this](State& state) {
    enter(state, CircuitState::kClosed);
    state.consecutive = 0;
    state.pauses = 0;
  });
}

Circuit::View Circuit::view() const {
  return state_.with([](const State& state) {
    return View{state.state, state.consecutive, state.failures, state.opened, state.next_probe};
  });
}

TimePoint Circuit::next_attempt() const {
  if ((word_.load() & kClosed) != 0) return TimePoint::min();
  return state_.with([](const State& state) {
    return state.state == CircuitState::kClosed ? TimePoint::min() : state.next_probe;
  });
}

std::shared_ptr<Circuit> CircuitBreaker::circuit(std::string_view key) {
  return circuits_.with([&](Circuits& circuits) {
    auto place = circuits.find(key);
    if (place == circuits.end()) {
      auto made = std::make_shared<Circuit>(clock_, random_, options_);
      place = circuits.emplace(std::string(key), std::move(made)).first;
    }
    return place->second;
  });
}

bool CircuitBreaker::reset(std::string_view key) {
  const Circuits circuits = all();
  const auto place = circuits.find(key);
  if (place == circuits.end()) return false;
  place->second->reset();
  return true;
}

void CircuitBreaker::reset_all() {
  for (const auto& [key, circuit] : all()) circuit->reset();
}

std::vector<std::pair<std::string, Circuit::View>> CircuitBreaker::list() const {
  std::vector<std::pair<std::string, Circuit::View>> views;
  for (const auto& [key, circuit] : all()) views.emplace_back(key, circuit->view());
  return views;
}

CircuitBreaker::Circuits CircuitBreaker::all() const {
  return circuits_.with([](const Circuits& circuits) { return circuits; });
}

}  // namespace clever::base
