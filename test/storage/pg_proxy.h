#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "base/thread.h"
#include "io/file_descriptor.h"
#include "support/temporary_directory.h"

namespace clever::test {

/// Stands between an engine and a PostgreSQL server, reads what the engine asks, and has a
/// connection die at the worst moments. Reached through a socket in a folder of its own.
/// Thread-safe.
class PgProxy {
 public:
  enum class Fault : std::uint8_t {
    kNone,
    /// The COMMIT does not reach the server, whose connection ends too.
    kBeforeCommit,
    /// The server gets the COMMIT, nobody gets its answer.
    kAfterCommit,
    /// The engine's connection ends; the server's lives on, and gets the COMMIT only when the
    /// engine has submitted the transaction again.
    kDelayedCommit,
    /// The COMMIT is kept back, and both connections live on.
    kSwallowCommit,
  };

  explicit PgProxy(int server_port) : server_port_(server_port), listening_(listen_in(folder_)) {}
  ~PgProxy() {
    thread_.request_stop();
    wake();
  }
  PgProxy(const PgProxy&) = delete;
  PgProxy& operator=(const PgProxy&) = delete;

  [[nodiscard]] std::string url(std::string_view database) const {
    return "postgresql:///" + std::string(database) + "?host=" + folder_.path().string() +
           "&port=5432&user=clever";
  }

  /// What happens to the next so many COMMITs, and whether everything hangs afterwards.
  void arm(Fault fault, int times = 1, bool then_pause = false) {
    plan_.update([&](Plan& plan) {
      plan.fault = fault;
      plan.times = times;
      plan.then_pause = then_pause;
    });
  }
  /// Returns when so many COMMITs have met their fault since the beginning.
  void await_faults(int count) {
    plan_
        .wait({}, base::Deadline::never(), [&](const Plan& plan) { return plan.happened >= count; })
        .value();
  }
  /// Nothing that is sent from now on passes until resume(): a server that hangs.
  void pause() {
    set_paused(true);
    plan_.wait({}, base::Deadline::never(), [](const Plan& plan) { return plan.stands_still; })
        .value();
  }
  void resume() { set_paused(false); }
  [[nodiscard]] int connections() const {
    return plan_.read([](const Plan& plan) { return plan.connections; });
  }

 private:
  struct Plan {
    Fault fault = Fault::kNone;
    int times = 0;
    int happened = 0;
    int connections = 0;
    bool then_pause = false;
    bool paused = false;
    bool stands_still = false;  // the thread has seen that it is paused
  };
  struct Link {
    io::FileDescriptor client;
    io::FileDescriptor server;
    std::string from_client;
    bool started = false;  // the first message has no type
    std::map<std::string, std::string> statements;
    std::string kept_back;  // a COMMIT and what follows it
    Fault fault = Fault::kNone;
  };

  static io::FileDescriptor checked(int descriptor) {
    if (descriptor < 0) std::abort();
    return io::FileDescriptor(descriptor);
  }
  static io::FileDescriptor listen_in(const TemporaryDirectory& folder) {
    auto socket = checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = (folder / ".s.PGSQL.5432").string();
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    if (::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
            0 ||
        ::listen(socket.number(), 64) != 0) {
      std::abort();
    }
    return socket;
  }
  [[nodiscard]] io::FileDescriptor connect_to_server() const {
    auto socket = checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server_port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
        0) {
      return {};
    }
    // Messages pass one by one; none waits for the acknowledgement of the one before.
    const int at_once = 1;
    static_cast<void>(
        ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once)));
    return socket;
  }

  void set_paused(bool paused) {
    plan_.update([&](Plan& plan) { plan.paused = paused; });
    wake();
  }
  void wake() const { static_cast<void>(::eventfd_write(wake_.number(), 1)); }

  static bool send_all(const io::FileDescriptor& to, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(to.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  static bool receive_some(const io::FileDescriptor& from, std::string& bytes) {
    std::string block(65536, '\0');
    const ssize_t size = ::recv(from.number(), block.data(), block.size(), 0);
    if (size <= 0) return false;
    bytes.append(block, 0, static_cast<std::size_t>(size));
    return true;
  }

  static std::uint32_t length_at(std::string_view bytes, std::size_t at) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof(length));
    return ntohl(length);
  }
  // The next whole message, cut off `bytes`; empty if it is not all there yet.
  static std::string next_message(Link& link) {
    std::string& bytes = link.from_client;
    const std::size_t type = link.started ? 1 : 0;
    if (bytes.size() < type + 4) return {};
    const std::size_t size = type + length_at(bytes, type);
    if (bytes.size() < size) return {};
    link.started = true;
    std::string message = bytes.substr(0, size);
    bytes.erase(0, size);
    return message;
  }
  // The text of the statement that a Bind message names.
  static std::string bound_text(Link& link, std::string_view message) {
    if (message[0] == 'P') {
      const std::string name(message.substr(5).data());
      link.statements[name] = message.substr(5 + name.size() + 1).data();
    }
    if (message[0] != 'B') return {};
    const std::string portal(message.substr(5).data());
    return link.statements[message.substr(5 + portal.size() + 1).data()];
  }

  void run(const base::StopToken& stop) {
    while (!stop.stop_requested()) {
      const bool paused = plan_.update([](Plan& plan) {
        plan.stands_still = plan.paused;
        return plan.paused;
      });
      std::vector<pollfd> watched{{wake_.number(), POLLIN, 0}};
      if (!paused) {
        watched.push_back({listening_.number(), POLLIN, 0});
        for (const Link& link : links_) {
          watched.push_back({link.client.number(), POLLIN, 0});
          watched.push_back({link.server.number(), POLLIN, 0});
        }
      }
      if (::poll(watched.data(), watched.size(), -1) < 0) continue;
      eventfd_t count = 0;
      if (watched[0].revents != 0) static_cast<void>(::eventfd_read(wake_.number(), &count));
      if (!paused) serve(watched);
    }
  }

  void serve(const std::vector<pollfd>& watched) {
    std::size_t at = 2;
    for (auto link = links_.begin(); link != links_.end(); at += 2) {
      const bool client = watched[at].revents != 0;
      const bool server = watched[at + 1].revents != 0;
      const bool lives = (!client || from_client(*link)) && (!server || from_server(*link));
      link = lives ? std::next(link) : links_.erase(link);
    }
    if (watched[1].revents != 0) accept();
  }

  void accept() {
    Link link;
    link.client =
        io::FileDescriptor(::accept4(listening_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    link.server = connect_to_server();
    if (!link.client.valid() || !link.server.valid()) return;
    links_.push_back(std::move(link));
    plan_.update([](Plan& plan) { ++plan.connections; });
  }

  bool from_server(Link& link) {
    std::string bytes;
    if (!receive_some(link.server, bytes)) return false;
    return !link.client.valid() || send_all(link.client, bytes);
  }

  // False when the link is to be cut on both sides.
  bool from_client(Link& link) {
    if (!receive_some(link.client, link.from_client)) return false;
    for (std::string message = next_message(link); !message.empty(); message = next_message(link)) {
      const std::string text = bound_text(link, message);
      if (text == "COMMIT" && link.fault == Fault::kNone) link.fault = take_fault();
      if (link.fault == Fault::kBeforeCommit) return false;
      if (link.fault == Fault::kDelayedCommit || link.fault == Fault::kSwallowCommit) {
        link.kept_back += message;
      } else if (!send_all(link.server, message)) {
        return false;
      }
      if (text.starts_with("INSERT INTO clever_commit")) let_delayed_go(link);
      if (message[0] == 'S' && link.fault != Fault::kNone) cut_client(link);
    }
    return true;
  }

  static void cut_client(Link& link) {
    if (link.fault != Fault::kSwallowCommit) link.client.reset();
  }

  void let_delayed_go(const Link& resubmitted) {
    for (Link& link : links_) {
      if (&link == &resubmitted || link.fault != Fault::kDelayedCommit) continue;
      static_cast<void>(send_all(link.server, std::exchange(link.kept_back, {})));
    }
  }

  Fault take_fault() {
    return plan_.update([](Plan& plan) {
      if (plan.times == 0) return Fault::kNone;
      --plan.times;
      ++plan.happened;
      plan.paused = plan.paused || plan.then_pause;
      return plan.fault;
    });
  }

  const int server_port_;
  const TemporaryDirectory folder_;
  const io::FileDescriptor listening_;
  const io::FileDescriptor wake_ = checked(::eventfd(0, EFD_CLOEXEC));
  base::Monitor<Plan> plan_;
  // Of the thread alone.
  std::list<Link> links_;
  base::Thread thread_{"pg proxy", [this](const base::StopToken& stop) { run(stop); }};
};

}  // namespace clever::test
