#pragma once
#include <string_view>

#include "io/environment.h"

namespace clever::cli {

/// Whether the locale writes UTF-8: LC_ALL, else LC_CTYPE, else LANG.
[[nodiscard]] bool writes_utf8(const io::Environment& environment);

/// Whether to colour: `choice` is always, never or auto. Auto colours a terminal unless NO_COLOR is
/// set or TERM is dumb.
[[nodiscard]] bool wants_color(std::string_view choice, bool is_terminal,
                               const io::Environment& environment);

}  // namespace clever::cli
