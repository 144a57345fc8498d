#pragma once
#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace clever::base {

/// Work to be done once: a move-only void() function. Unlike std::move_only_function it stores up
/// to five words inside and moves without calling into its content, because queues move tasks
/// often. An exception from the function ends the program.
///
/// A value; not thread-safe.
class Task {
 public:
  Task() noexcept = default;
  Task(std::nullptr_t) noexcept {}

  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, Task> && std::invocable<std::decay_t<F>&>)
  // Implicit, so that a lambda can be posted.
  Task(F&& function) {
    using Held = std::decay_t<F>;
    if constexpr (kFits<Held>) {
      ::new (static_cast<void*>(storage_)) Held(std::forward<F>(function));
      actions_ = &kInside<Held>;
    } else {
      Held* held = new Held(std::forward<F>(function));
      std::memcpy(storage_, &held, sizeof(held));
      actions_ = &kOutside<Held>;
    }
  }

  Task(Task&& other) noexcept { take(other); }
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~Task() { reset(); }

  explicit operator bool() const noexcept { return actions_ != nullptr; }

  void operator()() noexcept {
    CLEVER_CHECK(actions_ != nullptr, "an empty Task was run");
    actions_->invoke(storage_);
  }

 private:
  struct Actions {
    void (*invoke)(std::byte*);
    void (*relocate)(std::byte* from, std::byte* to) noexcept;  // nullptr: copy the bytes
    void (*destroy)(std::byte*) noexcept;                       // nullptr: nothing to do
  };

  static constexpr std::size_t kSize = 5 * sizeof(void*);

  template <class Held>
  static constexpr bool kFits = sizeof(Held) <= kSize && alignof(Held) <= alignof(void*) &&
                                std::is_nothrow_move_constructible_v<Held>;

  template <class Held>
  static Held& inside(std::byte* storage) noexcept {
    return *std::launder(reinterpret_cast<Held*>(storage));
  }
  template <class Held>
  static Held* outside(const std::byte* storage) noexcept {
    Held* held = nullptr;
    std::memcpy(&held, storage, sizeof(held));
    return held;
  }

  template <class Held>
  static void relocate_inside(std::byte* from, std::byte* to) noexcept {
    ::new (static_cast<void*>(to)) Held(std::move(inside<Held>(from)));
    inside<Held>(from).~Held();
  }
  template <class Held>
  static void destroy_inside(std::byte* storage) noexcept {
    inside<Held>(storage).~Held();
  }

  template <class Held>
  static constexpr Actions kInside{
      [](std::byte* storage) { inside<Held>(storage)(); },
      std::is_trivially_copyable_v<Held> ? nullptr : &relocate_inside<Held>,
      std::is_trivially_destructible_v<Held> ? nullptr : &destroy_inside<Held>};
  template <class Held>
  static constexpr Actions kOutside{
      [](std::byte* storage) { (*outside<Held>(storage))(); }, nullptr,
      [](std::byte* storage) noexcept { delete outside<Held>(storage); }};

  void take(Task& other) noexcept {
    actions_ = std::exchange(other.actions_, nullptr);
    if (actions_ == nullptr) return;
    if (actions_->relocate == nullptr) {
      std::memcpy(storage_, other.storage_, kSize);
    } else {
      actions_->relocate(other.storage_, storage_);
    }
  }

  void reset() noexcept {
    const Actions* actions = std::exchange(actions_, nullptr);
    if (actions != nullptr && actions->destroy != nullptr) actions->destroy(storage_);
  }

  alignas(void*) std::byte storage_[kSize];
  const Actions* actions_ = nullptr;
};

}  // namespace clever::base
