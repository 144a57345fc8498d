#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "diff/merge.h"

namespace clever::diff::internal {

/// The length of conflict markers at which no line of the texts looks like one: 7 characters, if
/// that suffices.
[[nodiscard]] std::size_t marker_size(std::initializer_list<std::string_view> texts);

/// How many conflicts with markers of this size a text has.
[[nodiscard]] std::uint64_t count_markers(std::string_view text, std::size_t size);

/// Names as written after a marker: on one line.
struct MarkerNames {
  explicit MarkerNames(const TextNames& names);

  std::string ours;
  std::string base;
  std::string theirs;
};

}  // namespace clever::diff::internal
