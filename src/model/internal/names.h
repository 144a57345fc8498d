#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::model::internal {

/// "'x' is not a known phase; use one of action, strategize, execute, apply"
[[nodiscard]] base::Error unknown_name(std::span<const std::string_view> names,
                                       std::string_view text, std::string_view what);

/// The enumerator whose name, at its own index in `names`, is `text`.
template <class Enum>
[[nodiscard]] base::Result<Enum> parse_name(std::span<const std::string_view> names,
                                            std::string_view text, std::string_view what) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  return unknown_name(names, text, what);
}

}  // namespace clever::model::internal
