#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::sandbox::internal {

struct Replaced {
  std::string content;
  std::size_t count = 0;
};

/// Replaces `old_text` by `new_text`. The search ignores the kind of line ends: "\n" and "\r\n"
/// match each other. The new text gets the line ends of the old one, or, within a single line,
/// those of most lines.
///
/// `invalid_argument` if `old_text` is empty or both texts are equal; `conflict`, for several
/// occurrences without `replace_all`, names the lines; `not_found` shows the nearest lines and
/// guesses the reason. `resource_exhausted` if the result would exceed `largest`. A pure function
/// of any bytes.
[[nodiscard]] base::Result<Replaced> replace_text(std::string_view content,
                                                  std::string_view old_text,
                                                  std::string_view new_text, bool replace_all,
                                                  std::size_t largest);

}  // namespace clever::sandbox::internal
