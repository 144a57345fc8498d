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

/// The content with `old_text` replaced by `new_text`. Line ends are not told apart in the search:
/// "\n" and "\r\n" match each other. What replaces gets the line ends of what it replaces, or, if
/// that is within one line, of most lines of the content.
///
/// `invalid_argument` if `old_text` is empty or both texts are the same; `conflict`, if it is there
/// more than once and not `replace_all`, names the lines; `not_found` shows the nearest lines and
/// guesses what is wrong. `resource_exhausted` if the result would exceed `largest`. A pure
/// function of any bytes.
[[nodiscard]] base::Result<Replaced> replace_text(std::string_view content,
                                                  std::string_view old_text,
                                                  std::string_view new_text, bool replace_all,
                                                  std::size_t largest);

}  // namespace clever::sandbox::internal
