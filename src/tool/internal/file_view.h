#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::tool::internal {

struct LineRange {
  std::optional<std::int64_t> first{};  // from 1
  std::optional<std::int64_t> last{};   // inclusive
};

/// `invalid_argument` if it contains no line.
[[nodiscard]] base::Result<void> check_range(const LineRange& range);

/// A file as shown to a model. A value.
struct FileView {
  std::string text;
  bool truncated = false;
};

/// The lines with their numbers, and remarks in brackets below: how to read on, CRLF, invalid
/// UTF-8, a missing newline at the end. At most 2000 lines and about `limit` bytes, whole lines;
/// long lines are cut. `invalid_argument` if the range begins after the end. A pure function; the
/// result is valid UTF-8.
[[nodiscard]] base::Result<FileView> view_lines(std::string_view content, const LineRange& range,
                                                std::size_t limit);

/// "binary file (PNG image), 12,345 bytes, SHA-256 …".
[[nodiscard]] std::string describe_binary(std::string_view content);

}  // namespace clever::tool::internal
