#pragma once
#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/error.h"

namespace clever::base {

template <class T>
class Result;

namespace internal {
template <class T>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;
}  // namespace internal

/// A T, or the Error that explains its absence. The only channel for failure in this code base.
/// Reading the value of a failed Result is a bug and aborts with the error's text.
///
/// A value; as thread-safe as T.
template <class T>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T>, "Result holds values; return a pointer or copy instead");

 public:
  using value_type = T;

  template <class U = T>
    requires(std::constructible_from<T, U> && !internal::kIsResult<std::remove_cvref_t<U>> &&
             !std::same_as<std::remove_cvref_t<U>, Error>)
  // Implicit, so that `return value;` works.
  Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& value() & { return checked(*this); }
  const T& value() const& { return checked(*this); }
  T&& value() && { return std::move(checked(*this)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  template <class U>
  T value_or(U&& fallback) && {
    return ok() ? std::get<0>(std::move(state_)) : static_cast<T>(std::forward<U>(fallback));
  }

  Error& error() & { return failed(*this); }
  const Error& error() const& { return failed(*this); }
  Error&& error() && { return std::move(failed(*this)); }

  /// Adds the operation to the error, if there is one: `return load(p).context("loading");`
  Result&& context(std::string doing) && {
    if (!ok()) std::get<1>(state_).add_context(std::move(doing));
    return std::move(*this);
  }

  /// f(T) → U gives Result<U>; f(T) → Result<U> is flattened.
  template <class F>
  auto and_then(F&& f) && {
    using U = std::invoke_result_t<F, T&&>;
    using R = std::conditional_t<internal::kIsResult<U>, U, Result<U>>;
    if (!ok()) return R(std::get<1>(std::move(state_)));
    return R(std::invoke(std::forward<F>(f), std::get<0>(std::move(state_))));
  }

 private:
  template <class Self>
  static auto& checked(Self& self) {
    if (!self.ok()) [[unlikely]]
      check_failed("ok()", std::get<1>(self.state_).to_string(), __FILE__, __LINE__);
    return std::get<0>(self.state_);
  }
  template <class Self>
  static auto& failed(Self& self) {
    CLEVER_CHECK(!self.ok(), "error() of a Result that succeeded");
    return std::get<1>(self.state_);
  }

  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  /// Aborts with the error's text if there is one: for calls that cannot fail here.
  void value() const {
    if (error_) [[unlikely]]
      check_failed("ok()", error_->to_string(), __FILE__, __LINE__);
  }

  Error& error() & {
    CLEVER_CHECK(error_.has_value(), "error() of a Result that succeeded");
    return *error_;
  }
  const Error& error() const& {
    CLEVER_CHECK(error_.has_value(), "error() of a Result that succeeded");
    return *error_;
  }
  Error&& error() && { return std::move(error()); }

  Result&& context(std::string doing) && {
    if (error_) error_->add_context(std::move(doing));
    return std::move(*this);
  }

 private:
  std::optional<Error> error_;
};

}  // namespace clever::base

#define CLEVER_CONCAT_INNER(a, b) a##b
#define CLEVER_CONCAT(a, b) CLEVER_CONCAT_INNER(a, b)

/// Returns the error of `expression` from the enclosing function, if it has one.
#define CLEVER_TRY(expression)                                               \
  do {                                                                       \
    if (auto clever_result = (expression); !clever_result.ok()) [[unlikely]] \
      return std::move(clever_result).error();                               \
  } while (false)

/// CLEVER_ASSIGN(auto text, read(path)); declares `text`, or returns the error.
#define CLEVER_ASSIGN(declaration, expression) \
  CLEVER_ASSIGN_INNER(CLEVER_CONCAT(clever_result_, __LINE__), declaration, expression)
#define CLEVER_ASSIGN_INNER(result, declaration, expression) \
  auto result = (expression);                                \
  if (!result.ok()) [[unlikely]]                             \
    return std::move(result).error();                        \
  declaration = std::move(result).value()
