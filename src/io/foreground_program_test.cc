#include "io/foreground_program.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <array>
#include <chrono>
#include <cstdio>

#include "io/file.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

// A child of this process at a terminal of its own.
class AtTerminal {
 public:
  explicit AtTerminal(const std::function<int()>& body) {
    if (::openpty(&master_, &slave_, nullptr, nullptr, nullptr) != 0) std::abort();
    child_.emplace([&] {
      ::setsid();
      ::ioctl(slave_, TIOCSCTTY, 0);
      for (const int stream : {0, 1, 2}) ::dup2(slave_, stream);
      ::close(master_);
      ::close(slave_);
      return body();
    });
  }
  ~AtTerminal() {
    ::close(master_);
    ::close(slave_);
  }
  AtTerminal(const AtTerminal&) = delete;
  AtTerminal& operator=(const AtTerminal&) = delete;

  bool until_shows(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!shown_.contains(text)) {
      if (std::chrono::steady_clock::now() > end) return false;
      read_some();
    }
    return true;
  }
  void type(const std::string& keys) const {
    ASSERT_EQ(::write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  int wait() { return child_->wait(); }
  [[nodiscard]] bool is_cooked() const {
    termios now{};
    ::tcgetattr(slave_, &now);
    const auto wanted = static_cast<tcflag_t>(ICANON | ECHO | ISIG);
    return (now.c_lflag & wanted) == wanted;
  }

 private:
  void read_some() {
    pollfd entry{.fd = master_, .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, 20) <= 0) return;
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(master_, buffer.data(), buffer.size());
    if (count > 0) shown_.append(buffer.data(), static_cast<std::size_t>(count));
  }

  int master_ = -1;
  int slave_ = -1;
  std::optional<test::ChildProcess> child_;
  std::string shown_;
};

// What the program came to, as the exit code of a child at a terminal.
int code_of(const base::Result<int>& code) { return code.ok() ? *code : 90; }

TEST(RunInForeground, ShowsWhatItIsGiven) {
  AtTerminal terminal(
      [] { return code_of(run_in_foreground({.argv = {"cat"}, .input = "shown\n"})); });
  EXPECT_TRUE(terminal.until_shows("shown"));
  EXPECT_EQ(terminal.wait(), 0);
}

TEST(RunInForeground, GivesItTheKeys) {
  AtTerminal terminal([] {
    return code_of(
        run_in_foreground({.argv = {"sh", "-c", "echo ready; read line; echo got $line"}}));
  });
  ASSERT_TRUE(terminal.until_shows("ready"));
  terminal.type("it\n");
  EXPECT_TRUE(terminal.until_shows("got it"));
  EXPECT_EQ(terminal.wait(), 0);
}

TEST(RunInForeground, PutsTheTerminalBackAsItWas) {
  AtTerminal terminal([] {
    return code_of(run_in_foreground({.argv = {"sh", "-c", "stty raw -echo; kill -9 $$"}}));
  });
  EXPECT_EQ(terminal.wait(), 128 + SIGKILL);
  EXPECT_TRUE(terminal.is_cooked());
}

TEST(RunInForeground, CtrlCIsForTheProgram) {
  AtTerminal terminal([] {
    const auto code = run_in_foreground(
        {.argv = {"sh", "-c", "trap 'echo caught; exit 7' INT; echo ready; read line"}});
    return code_of(code);
  });
  ASSERT_TRUE(terminal.until_shows("ready"));
  terminal.type("\x03");
  EXPECT_TRUE(terminal.until_shows("caught"));
  EXPECT_EQ(terminal.wait(), 7);
}

TEST(RunInForeground, AProgramThatStopsReadingIsNotAFailure) {
  AtTerminal terminal([] {
    return code_of(run_in_foreground(
        {.argv = {"head", "-c", "1"}, .input = std::string(std::size_t{4} << 20U, 'x')}));
  });
  EXPECT_EQ(terminal.wait(), 0);
}

TEST(RunInForeground, OneThatSleepsIsWoken) {
  AtTerminal terminal(
      [] { return code_of(run_in_foreground({.argv = {"sh", "-c", "kill -STOP $$; exit 5"}})); });
  EXPECT_EQ(terminal.wait(), 5);
}

TEST(RunInForeground, WorksWithoutATerminal) {
  const test::TemporaryDirectory folder;
  const std::string file = (folder / "out").string();
  const int code = test::in_child([&] {
    if (std::freopen(file.c_str(), "w", stdout) == nullptr) return 91;
    return code_of(run_in_foreground({.argv = {"cat"}, .input = "text"}));
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(read_file(file).value(), "text");
}

TEST(RunInForeground, AProgramThatIsNotThereIsNotFound) {
  const auto code = run_in_foreground({.argv = {"no-such-program-anywhere"}});
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().code(), base::ErrorCode::kNotFound);
}

TEST(RunInForeground, HasTheEnvironmentItIsGiven) {
  const auto code = run_in_foreground({.argv = {"sh", "-c", "exit $CODE"},
                                       .environment = std::vector<std::string>{"CODE=3"},
                                       .input = ""});
  EXPECT_EQ(code.value(), 3);
}

}  // namespace
}  // namespace clever::io
