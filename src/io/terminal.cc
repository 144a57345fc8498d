#include "io/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace clever::io {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

TerminalSize terminal_size(int descriptor) {
  winsize window{};
  TerminalSize size;
  if (::ioctl(descriptor, TIOCGWINSZ, &window) != 0) return size;
  if (window.ws_col != 0) size.columns = window.ws_col;
  if (window.ws_row != 0) size.rows = window.ws_row;
  return size;
}

std::size_t terminal_width(int descriptor) { return terminal_size(descriptor).columns; }

}  // namespace clever::io
