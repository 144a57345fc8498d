#include "io/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "io/file_descriptor.h"

namespace clever::io {
namespace {

TEST(Terminal, IsRecognised) {
  const FileDescriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(terminal.valid());
  EXPECT_TRUE(is_terminal(terminal.number()));
}

TEST(Terminal, SaysHowWideItIs) {
  const FileDescriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  const winsize size{.ws_row = 24, .ws_col = 132, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(::ioctl(terminal.number(), TIOCSWINSZ, &size), 0);
  EXPECT_EQ(terminal_width(terminal.number()), 132U);
  EXPECT_EQ(terminal_size(terminal.number()), (TerminalSize{.columns = 132, .rows = 24}));
}

TEST(Terminal, IsEightyWideIfItDoesNotSay) {
  const FileDescriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  EXPECT_EQ(terminal_width(terminal.number()), 80U);
  EXPECT_EQ(terminal_size(terminal.number()), (TerminalSize{.columns = 80, .rows = 24}));
}

TEST(Terminal, IsNotAFile) {
  const FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(is_terminal(file.number()));
  EXPECT_EQ(terminal_width(file.number()), 80U);
  EXPECT_FALSE(is_terminal(-1));
}

}  // namespace
}  // namespace clever::io
