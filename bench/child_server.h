#pragma once
// A server in a process of its own, so that its work is not ours.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

namespace clever::bench {

/// Forked before this process has threads. `serve` gets a function that tells the port, and one
/// that waits for the next command; it ends when that says no.
class ChildServer {
 public:
  using Tell = std::function<void(int port)>;
  using Next = std::function<bool()>;

  explicit ChildServer(const std::function<void(const Tell&, const Next&)>& serve) {
    int to[2];
    int from[2];
    if (::pipe(to) != 0 || ::pipe(from) != 0) std::abort();
    process_ = ::fork();
    if (process_ == 0) {
      ::close(to[1]);
      run(serve, to[0], from[1]);
    }
    ::close(to[0]);
    ::close(from[1]);
    commands_ = to[1];
    if (::read(from[0], &port_, sizeof(port_)) != sizeof(port_)) std::abort();
    ::close(from[0]);
  }
  ~ChildServer() {
    ::close(commands_);
    ::waitpid(process_, nullptr, 0);
  }
  ChildServer(const ChildServer&) = delete;
  ChildServer& operator=(const ChildServer&) = delete;

  [[nodiscard]] std::string url(const char* path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  void command() const {
    if (::write(commands_, "c", 1) != 1) std::abort();
  }

 private:
  [[noreturn]] static void run(const std::function<void(const Tell&, const Next&)>& serve,
                               int commands, int answers) {
    serve(
        [&](int port) {
          if (::write(answers, &port, sizeof(port)) != sizeof(port)) std::_Exit(1);
        },
        [&] {
          char command = 0;
          return ::read(commands, &command, 1) == 1;
        });
    std::_Exit(0);
  }

  pid_t process_ = -1;
  int commands_ = -1;
  int port_ = 0;
};

}  // namespace clever::bench
