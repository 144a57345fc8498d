#include "io/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace clever::io {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

TerminalSize terminal_size(int descriptor) {
  winsize told{};
  TerminalSize size;
  if (::ioctl(descriptor, TIOCGWINSZ, &told) != 0) return size;
  if (told.ws_col != 0) size.columns = told.ws_col;
  if (told.ws_row != 0) size.rows = told.ws_row;
  return size;
}

std::size_t terminal_width(int descriptor) { return terminal_size(descriptor).columns; }

}  // namespace clever::io
