#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/syntax.h"

// What is shown of a file. Plain functions.
namespace clever::syntax {

/// How much of a file is shown; the numbers are the depths of the domain.
enum class Depth : std::uint8_t {
  /// That it is there: its path, size and what it is.
  kListing = 0,
  /// The names of what it defines, with their kinds and lines.
  kMembers = 2,
  /// The signatures of what it defines, with their comments, bodies left out.
  kSignatures = 4,
  kFull = 9,
};
[[nodiscard]] std::string_view to_string(Depth depth) noexcept;  // "listing", "members", …

/// The file at that depth; of `range` alone, if it is not empty. Text without symbols has its first
/// lines as signatures. Lines that were left out are said to be.
[[nodiscard]] std::string outline(const Syntax& syntax, std::string_view path,
                                  std::string_view content, Depth depth, const Range& range = {});

/// Consecutive pieces that cover the whole file, cut at definitions, paragraphs or lines, none
/// longer than `largest` bytes (but for a single longer line, which is cut).
struct Chunk {
  Range range{};
  /// Index of the innermost symbol that holds all of it; -1: none.
  std::int32_t symbol = -1;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};
[[nodiscard]] std::vector<Chunk> chunks(const Syntax& syntax, std::string_view content,
                                        std::size_t largest = 2048);

}  // namespace clever::syntax
