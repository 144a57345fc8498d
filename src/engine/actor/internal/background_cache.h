#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/task_group.h"
#include "base/thread_pool.h"

namespace clever::engine::internal {

/// Values that take long to make, by key, each made once on a pool's threads. A caller waits as
/// long as it likes without disturbing the work. A failed value is made anew at the next request.
/// Keeps at most `limit` finished values: the most recently used, and all that callers wait for.
///
/// Thread-safe. Makes and destroys nothing under its lock. The destructor asks running work to
/// stop, and waits.
template <class T>
class BackgroundCache {
 public:
  using Value = std::shared_ptr<const T>;
  using Make = std::function<base::Result<Value>(const base::StopToken& stop)>;

  BackgroundCache(base::ThreadPool& pool, std::size_t limit) : limit_(limit), making_(pool) {}

  /// Starts to make it, unless it exists or is being made; never waits. `resource_exhausted` if the
  /// pool has too much to do: ask again.
  base::Result<void> prepare(const std::string& key, Make make) {
    const bool is_first = slots_.update([&](Slots& slots) {
      Slot& slot = slots.by_key[key];
      slot.used = ++slots.uses;
      const bool begins = !slot.is_being_made && slot.value == nullptr;
      if (begins) slot = {.is_being_made = true, .waiting = slot.waiting, .used = slot.used};
      return begins;
    });
    if (!is_first) return {};
    auto spawned = making_.spawn([this, key, make = std::move(make)](const base::StopToken& stop) {
      settle(key, make(stop));
      return base::Result<void>();
    });
    if (!spawned.ok()) settle(key, spawned.error());
    return spawned;
  }

  /// The finished value, or null. Counts as a use.
  [[nodiscard]] Value find(const std::string& key) {
    return slots_.update([&](Slots& slots) -> Value {
      const auto slot = slots.by_key.find(key);
      if (slot == slots.by_key.end()) return nullptr;
      slot->second.used = ++slots.uses;
      return slot->second.value;
    });
  }

  /// Starts to make it if necessary, and waits. Returns its error, `deadline_exceeded` or
  /// `cancelled`.
  base::Result<Value> get(const std::string& key, Make make, const base::StopToken& stop,
                          base::Deadline deadline) {
    const Hold hold(*this, key);
    CLEVER_TRY(prepare(key, std::move(make)));
    CLEVER_ASSIGN(const Slot settled, wait(key, stop, deadline));
    if (settled.failure) return *settled.failure;
    return settled.value;
  }

 private:
  struct Slot {
    bool is_being_made = false;
    /// Callers that wait for it: it stays until they have it.
    std::size_t waiting = 0;
    Value value{};
    std::optional<base::Error> failure{};
    std::uint64_t used = 0;
  };
  struct Slots {
    std::map<std::string, Slot> by_key{};
    std::uint64_t uses = 0;
  };

  /// Marks a waiting caller. Without it two callers of different keys could evict each other's
  /// values forever.
  class Hold {
   public:
    Hold(BackgroundCache& cache, const std::string& key) : cache_(cache), key_(key) {
      cache_.slots_.update([&](Slots& slots) { ++slots.by_key[key_].waiting; });
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() {
      const std::vector<Value> gone = cache_.slots_.update([&](Slots& slots) {
        --slots.by_key[key_].waiting;
        return cache_.evict(slots);
      });
    }

   private:
    BackgroundCache& cache_;
    const std::string& key_;
  };

  /// The caller has a Hold on it.
  base::Result<Slot> wait(const std::string& key, const base::StopToken& stop,
                          base::Deadline deadline) {
    return slots_.update_when(
        stop, deadline, [&](const Slots& slots) { return !slots.by_key.at(key).is_being_made; },
        [&](Slots& slots) { return slots.by_key.at(key); });
  }

  void settle(const std::string& key, base::Result<Value> made) {
    const std::vector<Value> gone = slots_.update([&](Slots& slots) {
      Slot& slot = slots.by_key[key];
      slot.is_being_made = false;
      slot.used = ++slots.uses;
      if (made.ok()) {
        slot.value = *made;
      } else {
        slot.failure = made.error();
      }
      return evict(slots);
    });
  }

  std::vector<Value> evict(Slots& slots) const {
    std::vector<Value> gone;
    while (slots.by_key.size() > limit_) {
      auto oldest = slots.by_key.end();
      for (auto slot = slots.by_key.begin(); slot != slots.by_key.end(); ++slot) {
        if (slot->second.is_being_made || slot->second.waiting > 0) continue;
        if (oldest == slots.by_key.end() || slot->second.used < oldest->second.used) oldest = slot;
      }
      if (oldest == slots.by_key.end()) break;
      gone.push_back(std::move(oldest->second.value));
      slots.by_key.erase(oldest);
    }
    return gone;
  }

  const std::size_t limit_;
  base::Monitor<Slots> slots_;
  // Last: running work settles in the above.
  base::TaskGroup making_;
};

}  // namespace clever::engine::internal
