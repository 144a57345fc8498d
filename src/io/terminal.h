#pragma once
#include <cstddef>

namespace clever::io {

/// Whether a person may be looking at this descriptor.
[[nodiscard]] bool is_terminal(int descriptor);

/// Columns of the terminal; 80 if it is none or does not say.
[[nodiscard]] std::size_t terminal_width(int descriptor);

}  // namespace clever::io
