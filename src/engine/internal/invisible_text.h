#pragma once
#include <string_view>

namespace clever::engine::internal {

/// Whether a line or a name holds characters that a reader does not see, or that show it in another
/// order than programs read it: controls of writing direction, characters without width, tags.
/// A joiner between letters of scripts that need it, and a byte order mark at the very beginning,
/// hide nothing. Any bytes; pure, linear.
[[nodiscard]] bool hides_text(std::string_view text);

}  // namespace clever::engine::internal
