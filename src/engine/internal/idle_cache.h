#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "engine/scheduler.h"

namespace clever::engine::internal {

/// Things that cost something while they are open, by name: at most one of each name at a time,
/// shared by its users. They are opened on the caller's thread and closed on Scheduler::blocking().
///
///     closed   a caller asks                       opening; who asks meanwhile waits
///     opening  it is open                          used
///     opening  that failed                         closed; the next who asks tries again
///     used     its last user leaves                idle
///     idle     a caller asks                       used
///     idle     for long, or too many are idle      closing; who asks meanwhile waits
///     closing  it is closed                        closed
///
/// Thread-safe. Nothing is opened or closed under the lock. The destructor waits for the last user,
/// then closes what is left; the scheduler outlives it.
template <class T>
class IdleCache {
 public:
  struct Options {
    base::Duration idle = std::chrono::minutes(5);
    /// Those idle for the longest time go first.
    std::size_t most_idle = 32;
  };
  using Open = std::function<base::Result<std::unique_ptr<T>>(const std::string& name,
                                                              const base::StopToken& stop)>;

  IdleCache(Scheduler& scheduler, Options options, Open open)
      : core_(std::make_shared<Core>(scheduler, options, std::move(open))) {}
  IdleCache(const IdleCache&) = delete;
  IdleCache& operator=(const IdleCache&) = delete;
  ~IdleCache() { core_->close_all(); }

  /// The user has it as long as a copy of the answer lives. What opening it says; `cancelled`.
  base::Result<std::shared_ptr<T>> get(const std::string& name, const base::StopToken& stop = {}) {
    CLEVER_ASSIGN(std::shared_ptr<T> value, core_->enter(name, stop));
    const auto use = std::make_shared<Use>(core_, name, std::move(value));
    return std::shared_ptr<T>(use, use->value.get());
  }
  /// Open ones, used or idle.
  [[nodiscard]] std::size_t size() const { return core_->size(); }

 private:
  struct Slot {
    /// Being opened or closed: it belongs to the thread that does it.
    bool is_busy = false;
    std::shared_ptr<T> value{};
    std::size_t users = 0;
    base::TimePoint idle_since{};
    std::uint64_t left = 0;

    [[nodiscard]] bool is_idle() const { return value != nullptr && users == 0; }
  };
  struct State {
    std::map<std::string, Slot> slots{};
    /// How often a last user left, and how often an alarm was asked for.
    std::uint64_t leaves = 0;
    std::uint64_t alarms = 0;
    /// An alarm will ring; one is being set; a task closes idle ones.
    bool is_armed = false;
    std::size_t setting = 0;
    bool is_sweeping = false;
    bool is_ending = false;
    std::unique_ptr<Alarm> alarm{};
  };
  /// What follows from a change, to be done without the lock.
  struct Next {
    std::uint64_t alarm = 0;
    base::TimePoint due{};
    bool sweeps = false;
  };

  class Core : public std::enable_shared_from_this<Core> {
   public:
    Core(Scheduler& scheduler, Options options, Open open)
        : scheduler_(scheduler), options_(options), open_(std::move(open)) {}

    base::Result<std::shared_ptr<T>> enter(const std::string& name, const base::StopToken& stop) {
      const auto is_settled = [&](const State& state) {
        const auto slot = state.slots.find(name);
        return slot == state.slots.end() || !slot->second.is_busy;
      };
      CLEVER_ASSIGN(auto found, state_.update_when(stop, base::Deadline::never(), is_settled,
                                                   [&](State& state) {
                                                     Slot& slot = state.slots[name];
                                                     slot.is_busy = slot.value == nullptr;
                                                     if (!slot.is_busy) ++slot.users;
                                                     return slot.value;
                                                   }));
      if (found != nullptr) return found;
      auto opened = open_(name, stop);
      return state_.update([&](State& state) -> base::Result<std::shared_ptr<T>> {
        if (!opened.ok()) {
          state.slots.erase(name);
          return opened.error();
        }
        Slot& slot = state.slots.at(name);
        slot = {.value = std::move(opened).value(), .users = 1};
        return slot.value;
      });
    }

    void leave(const std::string& name) {
      const base::TimePoint now = scheduler_.clock().now();
      follow(state_.update([&](State& state) {
        Slot& slot = state.slots.at(name);
        if (--slot.users > 0 || state.is_ending) return Next{};
        slot.idle_since = now;
        slot.left = ++state.leaves;
        return next(state);
      }));
    }

    void close_all() {
      state_.update([](State& state) { state.is_ending = true; });
      (void)state_.wait({}, base::Deadline::never(), [](const State& state) {
        const bool is_used = std::ranges::any_of(state.slots, [](const auto& slot) {
          return slot.second.is_busy || slot.second.users > 0;
        });
        return !is_used && state.setting == 0 && !state.is_sweeping;
      });
      // Both go without the lock.
      const auto alarm = state_.update([](State& state) { return std::move(state.alarm); });
      const auto slots = state_.update([](State& state) { return std::exchange(state.slots, {}); });
    }

    [[nodiscard]] std::size_t size() const {
      return state_.read([](const State& state) {
        return static_cast<std::size_t>(std::ranges::count_if(
            state.slots, [](const auto& slot) { return slot.second.value != nullptr; }));
      });
    }

   private:
    // A sweep under way looks again before it ends.
    [[nodiscard]] Next next(State& state) const {
      Next next;
      if (state.is_ending || state.is_sweeping) return next;
      std::size_t idle = 0;
      base::TimePoint earliest = base::TimePoint::max();
      for (const auto& [name, slot] : state.slots) {
        if (!slot.is_idle()) continue;
        ++idle;
        earliest = std::min(earliest, slot.idle_since);
      }
      next.sweeps = idle > options_.most_idle;
      state.is_sweeping = next.sweeps;
      if (next.sweeps || idle == 0 || state.is_armed) return next;
      state.is_armed = true;
      ++state.setting;
      next.alarm = ++state.alarms;
      next.due = earliest + options_.idle;
      return next;
    }

    void follow(const Next& next) {
      if (next.alarm != 0) set_alarm(next);
      if (!next.sweeps) return;
      const auto posted =
          scheduler_.blocking().post([self = this->shared_from_this()] { self->sweep(); });
      // They stay idle until the next one leaves.
      if (!posted.ok()) state_.update([](State& state) { state.is_sweeping = false; });
    }

    // An alarm that rang meanwhile, and had the next one set, does not take that one's place.
    void set_alarm(const Next& next) {
      auto alarm = scheduler_.at(next.due, scheduler_.blocking(), [weak = this->weak_from_this()] {
        if (const auto self = weak.lock()) self->ring();
      });
      auto old = state_.update([&](State& state) {
        return state.alarms == next.alarm ? std::exchange(state.alarm, std::move(alarm))
                                          : std::move(alarm);
      });
      // Before the end is let come: it needs the scheduler.
      old.reset();
      state_.update([](State& state) { --state.setting; });
    }

    void ring() {
      const bool sweeps = state_.update([](State& state) {
        state.is_armed = false;
        if (state.is_ending || state.is_sweeping) return false;
        state.is_sweeping = true;
        return true;
      });
      if (sweeps) sweep();
    }

    // On Scheduler::blocking(), one at a time.
    void sweep() {
      while (true) {
        const base::TimePoint now = scheduler_.clock().now();
        Next after;
        auto gone = state_.update([&](State& state) {
          auto overdue = take_overdue(state, now);
          if (overdue.empty()) {
            state.is_sweeping = false;
            after = next(state);
          }
          return overdue;
        });
        if (gone.empty()) return follow(after);
        for (auto& [name, value] : gone) value.reset();
        state_.update([&](State& state) {
          for (const auto& [name, value] : gone) state.slots.erase(name);
        });
      }
    }

    std::vector<std::pair<std::string, std::shared_ptr<T>>> take_overdue(
        State& state, base::TimePoint now) const {
      std::vector<std::pair<std::uint64_t, std::string>> idle;
      for (const auto& [name, slot] : state.slots) {
        if (slot.is_idle()) idle.emplace_back(slot.left, name);
      }
      std::ranges::sort(idle);
      const std::size_t surplus =
          idle.size() - std::min<std::size_t>(idle.size(), options_.most_idle);
      std::vector<std::pair<std::string, std::shared_ptr<T>>> gone;
      for (std::size_t i = 0; i < idle.size() && !state.is_ending; ++i) {
        Slot& slot = state.slots.at(idle[i].second);
        if (i >= surplus && now - slot.idle_since < options_.idle) continue;
        slot.is_busy = true;
        gone.emplace_back(idle[i].second, std::move(slot.value));
      }
      return gone;
    }

    // Constant after construction.
    Scheduler& scheduler_;
    const Options options_;
    const Open open_;
    // Guarded.
    base::Monitor<State> state_;
  };

  struct Use {
    Use(std::shared_ptr<Core> with_core, std::string of_name, std::shared_ptr<T> with_value)
        : core(std::move(with_core)), name(std::move(of_name)), value(std::move(with_value)) {}
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() {
      value.reset();
      core->leave(name);
    }

    const std::shared_ptr<Core> core;
    const std::string name;
    std::shared_ptr<T> value;
  };

  const std::shared_ptr<Core> core_;
};

}  // namespace clever::engine::internal
