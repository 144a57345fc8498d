#pragma once
#include <cstddef>

namespace clever::io {

/// Whether a person may be looking at this descriptor.
[[nodiscard]] bool is_terminal(int descriptor);

/// The size of a terminal in characters. A value.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;

  friend bool operator==(const TerminalSize&, const TerminalSize&) = default;
};

/// 80 by 24 if it is not a terminal, or does not say.
[[nodiscard]] TerminalSize terminal_size(int descriptor);
/// Its columns alone.
[[nodiscard]] std::size_t terminal_width(int descriptor);

}  // namespace clever::io
