#pragma once
// The little of Python that the models need. Under the interpreter's lock a single operation on a
// variable, a dict or a list is one step, and a sequence of operations is not: every operation here
// is one scheduling point and one short lock, nothing more.

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "explore/explore.h"

namespace clever::reports::python {

/// Between two operations the interpreter may run another thread. With real threads it does so
/// after one operation in eight: a second's run then shows what production shows in a week. Nothing
/// under the explorer, which switches where it likes.
void hand_over();

/// A variable that holds a number or a truth value. "x += 1" is a read and a write.
template <class T>
class Variable {
 public:
  explicit Variable(T value) : value_(value) {}
  [[nodiscard]] T read() const {
    const T value = value_.read();
    hand_over();
    return value;
  }
  void write(T value) { value_.write(value); }

 private:
  explore::Racy<T> value_;
};

/// A variable that refers to an object, or to None.
template <class T>
class Reference {
 public:
  [[nodiscard]] std::shared_ptr<T> read() const {
    hand_over();
    return target_.with([](const auto& target) { return target; });
  }
  void write(std::shared_ptr<T> value) {
    hand_over();
    target_.with([&](auto& target) { target.swap(value); });
  }

 private:
  base::Guarded<std::shared_ptr<T>> target_;
};

template <class K, class V>
class Dict {
 public:
  [[nodiscard]] bool contains(const K& key) const {
    hand_over();
    return items_.with([&](const auto& items) { return items.contains(key); });
  }
  /// dict.get(key)
  [[nodiscard]] std::optional<V> find(const K& key) const {
    hand_over();
    return items_.with([&](const auto& items) {
      const auto found = items.find(key);
      return found == items.end() ? std::nullopt : std::optional<V>(found->second);
    });
  }
  /// dict[key]; std::out_of_range stands for KeyError.
  [[nodiscard]] V at(const K& key) const {
    hand_over();
    return items_.with([&](const auto& items) { return items.at(key); });
  }
  void set(const K& key, V value) {
    hand_over();
    items_.with([&](auto& items) { items.insert_or_assign(key, std::move(value)); });
  }
  V setdefault(const K& key, V value) {
    hand_over();
    return items_.with(
        [&](auto& items) { return items.try_emplace(key, std::move(value)).first->second; });
  }
  void pop(const K& key) {
    hand_over();
    items_.with([&](auto& items) { items.erase(key); });
  }

 private:
  base::Guarded<std::map<K, V>> items_;
};

template <class T>
class List {
 public:
  void append(T value) {
    hand_over();
    items_.with([&](auto& items) { items.push_back(std::move(value)); });
  }
  /// list[-1]; nothing stands for IndexError.
  [[nodiscard]] std::optional<T> last() const {
    hand_over();
    return items_.with([](const auto& items) {
      return items.empty() ? std::nullopt : std::optional<T>(items.back());
    });
  }
  [[nodiscard]] std::vector<T> items() const {
    return items_.with([](const auto& items) { return items; });
  }

 private:
  base::Guarded<std::vector<T>> items_;
};

}  // namespace clever::reports::python
