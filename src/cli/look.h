#pragma once
#include <string_view>

#include "io/environment.h"

namespace clever::cli {

/// Returns true if the locale uses UTF-8: LC_ALL, else LC_CTYPE, else LANG.
[[nodiscard]] bool writes_utf8(const io::Environment& environment);

/// Returns true if output is coloured. `choice` is always, never or auto; auto colours a terminal
/// unless NO_COLOR is set or TERM is dumb.
[[nodiscard]] bool wants_color(std::string_view choice, bool is_terminal,
                               const io::Environment& environment);

}  // namespace clever::cli
