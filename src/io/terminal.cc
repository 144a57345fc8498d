#include "io/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace clever::io {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace clever::io
