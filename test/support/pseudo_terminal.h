#pragma once
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/terminal_picture.h"

namespace clever::test {

/// A program at a terminal of its own: what it shows, keys for it, resizing and killing.
class PseudoTerminal {
 public:
  PseudoTerminal(std::size_t columns, std::size_t rows) : picture_(columns, rows) {
    const winsize size = size_of(columns, rows);
    if (::openpty(&master_, &slave_, nullptr, nullptr, &size) != 0) std::abort();
    // What the program starts must not hold the terminal's other end.
    ::fcntl(master_, F_SETFD, FD_CLOEXEC);
    ::fcntl(slave_, F_SETFD, FD_CLOEXEC);
  }
  ~PseudoTerminal() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      static_cast<void>(wait());
    }
    ::close(master_);
    ::close(slave_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  /// Runs a body in a child whose standard streams and controlling terminal it is.
  void start(const std::function<int()>& body) {
    process_ = ::fork();
    if (process_ < 0) std::abort();
    if (process_ != 0) return;
    ::setsid();
    ::ioctl(slave_, TIOCSCTTY, 0);
    for (const int stream : {0, 1, 2}) ::dup2(slave_, stream);
    ::_exit(body());
  }
  void start(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
             const std::filesystem::path& folder) {
    start([&] {
      std::vector<char*> words;
      std::vector<char*> variables;
      for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
      for (const std::string& each : environment) {
        variables.push_back(const_cast<char*>(each.c_str()));
      }
      words.push_back(nullptr);
      variables.push_back(nullptr);
      if (::chdir(folder.c_str()) != 0) return 126;
      ::execve(words.front(), words.data(), variables.data());
      return 127;
    });
  }

  void type(std::string_view keys) const {
    while (!keys.empty()) {
      const ssize_t count = ::write(master_, keys.data(), keys.size());
      if (count <= 0) return;
      keys.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void resize(std::size_t columns, std::size_t rows) {
    picture_.resize(columns, rows);
    const winsize size = size_of(columns, rows);
    ::ioctl(master_, TIOCSWINSZ, &size);
  }
  void kill(int signal) const { ::kill(process_, signal); }

  /// Reads until `holds`; false if that is not so in time.
  bool until(const std::function<bool(const TerminalPicture&)>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!holds(picture_)) {
      if (std::chrono::steady_clock::now() > end) return false;
      read_some();
    }
    return true;
  }
  bool until_shows(std::string_view text) {
    return until([text](const TerminalPicture& now) { return now.text().contains(text); });
  }

  /// The exit code; minus the signal if one ended it. What it writes meanwhile is read.
  int wait() {
    int status = 0;
    while (true) {
      const pid_t ended = ::waitpid(process_, &status, WNOHANG);
      if (ended == process_ || (ended < 0 && errno != EINTR)) break;
      read_some();
    }
    process_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

  [[nodiscard]] const TerminalPicture& picture() const { return picture_; }
  [[nodiscard]] const std::string& written() const { return written_; }
  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] int other_end() const { return slave_; }
  [[nodiscard]] termios shape() const {
    termios now{};
    ::tcgetattr(slave_, &now);
    return now;
  }
  /// Lines are edited and echoed: as a shell finds it.
  [[nodiscard]] bool is_cooked() const {
    return (shape().c_lflag & static_cast<tcflag_t>(ICANON | ECHO | ISIG)) ==
           static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  }

 private:
  static winsize size_of(std::size_t columns, std::size_t rows) {
    return {.ws_row = static_cast<unsigned short>(rows),
            .ws_col = static_cast<unsigned short>(columns),
            .ws_xpixel = 0,
            .ws_ypixel = 0};
  }

  // Waits a little for something to read.
  void read_some() {
    constexpr int kMoment = 20;
    pollfd entry{.fd = master_, .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, kMoment) <= 0) return;
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(master_, buffer.data(), buffer.size());
    if (count <= 0) return;
    picture_.write({buffer.data(), static_cast<std::size_t>(count)});
    written_.append(buffer.data(), static_cast<std::size_t>(count));
  }

  int master_ = -1;
  int slave_ = -1;
  pid_t process_ = -1;
  TerminalPicture picture_;
  std::string written_;
};

}  // namespace clever::test
