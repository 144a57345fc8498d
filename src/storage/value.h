#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace clever::storage {

/// Bytes, as opposed to text.
struct Blob {
  std::string bytes;
  friend bool operator==(const Blob&, const Blob&) = default;
};

/// Many integers as one parameter: a JSON array for SQLite (`IN (SELECT value FROM
/// json_each($1))`), an array for PostgreSQL (`= ANY($1::bigint[])`). Never in a result.
struct IntegerList {
  std::vector<std::int64_t> values;
  friend bool operator==(const IntegerList&, const IntegerList&) = default;
};

struct Null {
  friend bool operator==(Null, Null) = default;
};

/// The value of a column or parameter. Text is UTF-8 without NUL on both engines; other bytes are
/// refused as `invalid_argument` when written, and belong into a Blob. A value.
using Value = std::variant<Null, std::int64_t, double, std::string, Blob, IntegerList>;

template <class T>
[[nodiscard]] Value to_value(T&& value) {
  using Plain = std::remove_cvref_t<T>;
  if constexpr (std::same_as<Plain, bool>) {
    return std::int64_t{value ? 1 : 0};
  } else if constexpr (std::integral<Plain>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::convertible_to<T, std::string_view> &&
                       !std::same_as<Plain, std::string>) {
    return std::string(std::string_view(value));
  } else {
    return Value(std::forward<T>(value));
  }
}

}  // namespace clever::storage
