#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/syntax.h"

// Outlines of files. Plain functions.
namespace clever::syntax {

/// How much of a file to show; the numbers are the depths of the domain.
enum class Depth : std::uint8_t {
  /// Only its path, size and kind.
  kListing = 0,
  /// The names of its definitions, with their kinds and lines.
  kMembers = 2,
  /// The signatures of its definitions, with their comments, without bodies.
  kSignatures = 4,
  kFull = 9,
};
[[nodiscard]] std::string_view to_string(Depth depth) noexcept;  // "listing", "members", …

/// The file at that depth; only `range`, if it is not empty. A text without symbols shows its first
/// lines as signatures. Marks left-out lines.
[[nodiscard]] std::string outline(const Syntax& syntax, std::string_view path,
                                  std::string_view content, Depth depth, const Range& range = {});

/// Consecutive pieces that cover the whole file, split at definitions, paragraphs or lines, none
/// longer than `largest` bytes (except a single longer line, which is split).
struct Chunk {
  Range range{};
  /// Index of the innermost symbol that contains all of it; -1: none.
  std::int32_t symbol = -1;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};
[[nodiscard]] std::vector<Chunk> chunks(const Syntax& syntax, std::string_view content,
                                        std::size_t largest = 2048);

}  // namespace clever::syntax
