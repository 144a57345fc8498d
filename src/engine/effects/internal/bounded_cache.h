#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "base/result.h"

namespace clever::engine::internal {

/// Values that are costly to open, by key. One caller at a time opens a value, and all share it;
/// the others wait, and try themselves if that fails. Keeps at most `limit` unused values, the most
/// recently used ones.
///
/// Thread-safe. Opens and destroys nothing under its lock.
template <class Key, class T>
class BoundedCache {
 public:
  using Value = std::shared_ptr<T>;
  using Open = std::function<base::Result<Value>()>;

  explicit BoundedCache(std::size_t limit) : limit_(limit) {}

  base::Result<Value> get(const Key& key, const Open& open) {
    CLEVER_ASSIGN(Value found, claim(key));
    if (found != nullptr) return found;
    base::Result<Value> opened = open();
    const std::vector<Value> evicted = slots_.update([&](Slots& slots) {
      if (!opened.ok()) {
        slots.by_key.erase(key);
        return std::vector<Value>();
      }
      slots.by_key[key] = {false, *opened, ++slots.uses};
      return evict(slots);
    });
    return opened;
  }

  /// The next who asks opens it anew. What was there, if it is `expected` (null: whatever it is).
  Value take(const Key& key, const T* expected = nullptr) {
    return slots_.update([&](Slots& slots) {
      const auto slot = slots.by_key.find(key);
      if (slot == slots.by_key.end() || slot->second.is_opening) return Value();
      if (expected != nullptr && slot->second.value.get() != expected) return Value();
      Value value = std::move(slot->second.value);
      slots.by_key.erase(slot);
      return value;
    });
  }

  [[nodiscard]] std::size_t size() const {
    return slots_.read([](const Slots& slots) { return slots.by_key.size(); });
  }

 private:
  struct Slot {
    bool is_opening = false;
    Value value{};
    std::uint64_t used = 0;
  };
  struct Slots {
    std::map<Key, Slot> by_key{};
    std::uint64_t uses = 0;
  };

  // Nothing: the caller opens it.
  base::Result<Value> claim(const Key& key) {
    const auto is_settled = [&](const Slots& slots) {
      const auto slot = slots.by_key.find(key);
      return slot == slots.by_key.end() || !slot->second.is_opening;
    };
    const auto take_or_begin = [&](Slots& slots) {
      const auto [slot, is_new] = slots.by_key.try_emplace(key);
      slot->second.is_opening = is_new;
      slot->second.used = ++slots.uses;
      return slot->second.value;
    };
    return slots_.update_when({}, base::Deadline::never(), is_settled, take_or_begin);
  }

  std::vector<Value> evict(Slots& slots) const {
    std::vector<Value> evicted;
    while (slots.by_key.size() > limit_) {
      auto oldest = slots.by_key.end();
      for (auto slot = slots.by_key.begin(); slot != slots.by_key.end(); ++slot) {
        if (slot->second.is_opening || slot->second.value.use_count() > 1) continue;
        if (oldest == slots.by_key.end() || slot->second.used < oldest->second.used) oldest = slot;
      }
      if (oldest == slots.by_key.end()) break;  // all are in use
      evicted.push_back(std::move(oldest->second.value));
      slots.by_key.erase(oldest);
    }
    return evicted;
  }

  const std::size_t limit_;
  base::Monitor<Slots> slots_;
};

}  // namespace clever::engine::internal
