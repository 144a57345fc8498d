#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Text for a model: always UTF-8, never longer than allowed. Pure functions.
namespace clever::tool {

/// The beginning and the end of a text longer than `limit` bytes, with a line `[… 12,345 bytes cut
/// …]` between them; cuts no character. Shorter texts unchanged. Returns at least the mark, however
/// small the limit.
[[nodiscard]] std::string cut_middle(std::string_view text, std::size_t limit);

/// `[… 12,345 bytes cut …]`: stands for bytes that a model does not see.
[[nodiscard]] std::string cut_mark(std::uint64_t bytes);
/// The cut marks in a text, sorted.
[[nodiscard]] std::vector<std::string_view> cut_marks_in(std::string_view text);

/// "12,345".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "1 file", "12,345 files".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view thing);

}  // namespace clever::tool
