#pragma once
#include <concepts>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace clever::base {
namespace internal {

// Whether a value of this type can refer to something inside the object it was taken from.
template <class R>
struct MayRefer
    : std::bool_constant<std::is_reference_v<R> || std::is_pointer_v<R> ||
                         // Iterators. Smart pointers and optionals cannot be incremented.
                         (std::indirectly_readable<R>&& std::weakly_incrementable<R>) ||
                         // span, string_view and the views of <ranges>.
                         (std::ranges::range<R> &&
                          (std::ranges::borrowed_range<R> || std::ranges::view<R>))> {};
template <class T>
struct MayRefer<std::reference_wrapper<T>> : std::true_type {};
template <class T>
struct MayRefer<std::optional<T>> : MayRefer<T> {};
template <class A, class B>
struct MayRefer<std::pair<A, B>> : std::disjunction<MayRefer<A>, MayRefer<B>> {};
template <class... T>
struct MayRefer<std::tuple<T...>> : std::disjunction<MayRefer<T>...> {};
template <class... T>
struct MayRefer<std::variant<T...>> : std::disjunction<MayRefer<T>...> {};
// An owning container can refer out if its elements can.
template <class R>
  requires(std::ranges::range<R> && !std::ranges::borrowed_range<R> && !std::ranges::view<R> &&
           !std::same_as<std::ranges::range_value_t<R>, R>)
struct MayRefer<R> : MayRefer<std::ranges::range_value_t<R>> {};
// Result<T> and other types with value_type that are not ranges.
template <class R>
  requires(!std::ranges::range<R> && requires { typename R::value_type; } &&
           !std::indirectly_readable<R> && !std::is_reference_v<R>)
struct MayRefer<R> : MayRefer<typename R::value_type> {};

}  // namespace internal

/// Types that a lambda running under a lock may return: values. References, pointers, iterators,
/// spans and string views are refused, alone or inside pairs, tuples, optionals, variants, Results
/// and containers. A class that hides a pointer into the guarded object is not detected: do not
/// write one.
template <class R>
concept Escapable = !internal::MayRefer<R>::value;

}  // namespace clever::base
