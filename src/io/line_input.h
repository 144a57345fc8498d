#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"

namespace clever::io {

/// Reads one line from the descriptor, without its end; none at the end of input. Reads nothing
/// beyond the line, so that other readers can continue. `cancelled` on a stop, `resource_exhausted`
/// beyond 64 KiB. Blocks.
[[nodiscard]] base::Result<std::optional<std::string>> read_line(int descriptor,
                                                                 const base::StopToken& stop);

/// One key that a person presses at a terminal, as text: "y"; Enter is "". None when nothing more
/// comes, and for Ctrl-D. A line end right behind the key is taken with it. `cancelled` on a stop.
/// Blocks; the terminal is as before when it returns.
[[nodiscard]] base::Result<std::optional<std::string>> read_key(int descriptor,
                                                                const base::StopToken& stop);

}  // namespace clever::io
