#include "io/owned_terminal.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>

#include "io/file_descriptor.h"
#include "support/child_process.h"

namespace clever::io {
namespace {

using testing::HasSubstr;
using Mode = OwnedTerminal::Mode;

/// A terminal, and what a child process does at it: its controlling terminal.
class OwnedTerminalTest : public testing::Test {
 protected:
  OwnedTerminalTest() {
    int master = -1;
    int slave = -1;
    const winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0) std::abort();
    person_ = FileDescriptor(master);
    end_ = FileDescriptor(slave);
  }

  // In a session of its own, so that the terminal's signals reach it alone.
  test::ChildProcess at_terminal(const std::function<int()>& body) const {
    return test::ChildProcess([this, body] {
      ::setsid();
      ::ioctl(end_.number(), TIOCSCTTY, 0);
      return body();
    });
  }

  [[nodiscard]] bool is_cooked() const {
    termios shape{};
    ::tcgetattr(end_.number(), &shape);
    return (shape.c_lflag & static_cast<tcflag_t>(ICANON | ECHO | ISIG)) ==
           static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  }

  // Until the text comes; everything that was read.
  std::string read_until(std::string_view text) {
    while (!read_.contains(text)) {
      std::array<char, 4096> buffer{};
      const ssize_t count = ::read(person_.number(), buffer.data(), buffer.size());
      if (count <= 0) break;
      read_.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return read_;
  }
  void type(std::string_view keys) const {
    ASSERT_EQ(::write(person_.number(), keys.data(), keys.size()),
              static_cast<ssize_t>(keys.size()));
  }

  FileDescriptor person_;
  FileDescriptor end_;
  std::string read_;
};

TEST_F(OwnedTerminalTest, IsGivenBackInTheEnd) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kScreen).value();
    if (is_cooked()) return 1;
    return terminal->size() == TerminalSize{.columns = 80, .rows = 24} ? 0 : 2;
  });
  EXPECT_THAT(read_until("\x1b[?1049l"), HasSubstr("\x1b[?1049h"));
  EXPECT_EQ(child.wait(), 0);
  EXPECT_TRUE(is_cooked());
}

TEST_F(OwnedTerminalTest, IsGivenBackWhenItsProcessIsKilled) {
  for (const int signal : {SIGKILL, SIGTERM, SIGABRT}) {
    read_.clear();
    // No leader of a session: the end of one would hang the terminal up for everybody.
    test::ChildProcess child([this] {
      const auto terminal =
          OwnedTerminal::open(end_.number(), end_.number(), Mode::kScreen).value();
      static_cast<void>(terminal->write("ready").ok());
      static_cast<void>(terminal->wait(std::nullopt).ok());
      return 0;
    });
    read_until("ready");
    EXPECT_FALSE(is_cooked());
    ::kill(child.id(), signal);
    EXPECT_THAT(read_until("\x1b[?1049l"), HasSubstr("\x1b[?25h"));
    EXPECT_EQ(child.wait(), -signal);
    // The words come before the shape.
    while (!is_cooked()) ::sched_yield();
  }
}

TEST_F(OwnedTerminalTest, KeysComeAtOnce) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kLine).value();
    static_cast<void>(terminal->write("ready").ok());
    const auto input = terminal->wait(std::nullopt);
    return input.ok() && input->bytes == "\x03" && !input->resized && !input->ended ? 0 : 1;
  });
  read_until("ready");
  type("\x03");
  EXPECT_EQ(child.wait(), 0) << "Ctrl-C is a key";
}

TEST_F(OwnedTerminalTest, TellsWhenItIsResized) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kScreen).value();
    static_cast<void>(terminal->write("ready").ok());
    const auto input = terminal->wait(std::nullopt);
    return input->resized && terminal->size().columns == 100 ? 0 : 1;
  });
  read_until("ready");
  const winsize size{.ws_row = 30, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  ::ioctl(person_.number(), TIOCSWINSZ, &size);
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(OwnedTerminalTest, AHangUpIsTheEnd) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kScreen).value();
    static_cast<void>(terminal->write("ready").ok());
    return terminal->wait(std::nullopt)->ended ? 0 : 1;
  });
  read_until("ready");
  ::kill(child.id(), SIGHUP);
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(OwnedTerminalTest, CanBeWoken) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kScreen).value();
    terminal->wake();
    if (!terminal->wait(std::nullopt)->woken) return 1;
    const auto nothing = terminal->wait(std::chrono::milliseconds(1));
    return !nothing->woken && nothing->bytes.empty() && !nothing->ended ? 0 : 2;
  });
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(OwnedTerminalTest, IsLentToAProgram) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kLine).value();
    const auto code =
        terminal->run({"sh", "-c", "test -t 0 && echo asks && read answer && exit $answer"}, "/");
    if (is_cooked()) return 90;
    return code.ok() ? *code : 91;
  });
  read_until("asks");
  type("7\r");
  EXPECT_EQ(child.wait(), 7);
  EXPECT_TRUE(is_cooked());
}

TEST_F(OwnedTerminalTest, ItsKeysAreTheProgramsOwn) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kLine).value();
    return terminal->run({"sh", "-c", "echo asks; read x; echo runs; exec cat"}, "/").value();
  });
  read_until("asks");
  type("\r");
  // Who was given a line is in the foreground.
  read_until("runs");
  type("\x03");
  EXPECT_EQ(child.wait(), 128 + SIGINT) << "Ctrl-C ended the program, not who started it";
}

TEST_F(OwnedTerminalTest, AProgramThatIsNotThereIsAnError) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kLine).value();
    const auto code = terminal->run({"/no/such/program"}, "/");
    return !code.ok() && !is_cooked() ? 0 : 1;
  });
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(OwnedTerminalTest, LinesCanBeReadInBetween) {
  auto child = at_terminal([this] {
    const auto terminal = OwnedTerminal::open(end_.number(), end_.number(), Mode::kLine).value();
    terminal->suspend();
    termios shape{};
    ::tcgetattr(end_.number(), &shape);
    const bool lines = (shape.c_lflag & static_cast<tcflag_t>(ICANON | ECHO)) != 0 &&
                       (shape.c_lflag & static_cast<tcflag_t>(ISIG)) == 0;
    terminal->resume();
    ::tcgetattr(end_.number(), &shape);
    return lines && (shape.c_lflag & static_cast<tcflag_t>(ICANON)) == 0 ? 0 : 1;
  });
  EXPECT_EQ(child.wait(), 0);
}

TEST(OwnedTerminal, NeedsATerminal) {
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const auto terminal = OwnedTerminal::open(nothing.number(), nothing.number(), Mode::kScreen);
  ASSERT_FALSE(terminal.ok());
  EXPECT_EQ(terminal.error().code(), base::ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace clever::io
