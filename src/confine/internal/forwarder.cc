#include "confine/internal/forwarder.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "confine/internal/hand_over.h"
#include "confine/internal/host_rules.h"
#include "confine/internal/privileges.h"
#include "confine/internal/streams.h"
#include "confine/internal/supervisor.h"
#include "io/file_descriptor.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

// `port`: of a service on this machine, reached by the same port inside; 0: of the proxy.
struct Listener {
  io::FileDescriptor socket;
  std::uint16_t port = 0;
};

sockaddr_in loopback4(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

sockaddr_in6 loopback6(std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(port);
  return address;
}

template <class Address>
io::FileDescriptor listening(const Address& address, int family) {
  io::FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool is_listening =
      socket.valid() &&
      ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      ::listen(socket.number(), 128) == 0;
  if (!is_listening) socket.reset();
  return socket;
}

base::Result<std::vector<Listener>> listen_inside(const std::set<std::uint16_t>& ports) {
  std::vector<Listener> listeners;
  listeners.push_back({.socket = listening(loopback4(0), AF_INET)});
  for (const std::uint16_t port : ports) {
    listeners.push_back({.socket = listening(loopback4(port), AF_INET), .port = port});
    // IPv6 may be missing inside.
    io::FileDescriptor six = listening(loopback6(port), AF_INET6);
    if (six.valid()) listeners.push_back({.socket = std::move(six), .port = port});
  }
  for (const Listener& listener : listeners) {
    if (!listener.socket.valid()) {
      return io::system_error(errno, "cannot listen for the network's proxy");
    }
  }
  return listeners;
}

unsigned port_of(const Listener& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  ::getsockname(listener.socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

void accept_one(const Listener& listener) {
  const io::FileDescriptor connection(
      ::accept4(listener.socket.number(), nullptr, nullptr, SOCK_CLOEXEC));
  const bool passes = errno == EINTR || errno == EAGAIN || errno == ECONNABORTED;
  if (!connection.valid() && !passes) ::_exit(1);
  if (connection.valid() && !hand_over(kProxyNumber, connection, listener.port).ok()) ::_exit(0);
}

[[noreturn]] void forward(const std::vector<Listener>& listeners) {
  forget_standard_streams();
  ::close(kControlNumber);
  if (!drop_privileges().ok()) ::_exit(1);
  std::vector<pollfd> events;
  for (const Listener& listener : listeners) {
    events.push_back({.fd = listener.socket.number(), .events = POLLIN, .revents = 0});
  }
  while (true) {
    if (::poll(events.data(), events.size(), -1) < 0 && errno != EINTR) ::_exit(1);
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].revents != 0) accept_one(listeners[i]);
    }
  }
}

void add_variables(Command& command, unsigned port) {
  const std::string proxy = "http://127.0.0.1:" + std::to_string(port);
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"}) {
    command.environment.push_back(std::string(name) + "=" + proxy);
  }
  // Services inside, and the listed services of this machine, are reached directly.
  for (const char* name : {"NO_PROXY", "no_proxy"}) {
    command.environment.push_back(std::string(name) + "=localhost,127.0.0.1,::1");
  }
  // Node's own fetch() respects the variables above only with this one.
  command.environment.emplace_back("NODE_USE_ENV_PROXY=1");
}

}  // namespace

base::Result<void> start_forwarder(Command& command) {
  CLEVER_ASSIGN(const HostRules rules, HostRules::parse(command.hosts));
  CLEVER_ASSIGN(const std::vector<Listener> listeners, listen_inside(rules.machine_ports()));
  const pid_t process = ::fork();
  if (process < 0) return io::system_error(errno, "cannot start a process");
  if (process == 0) forward(listeners);
  add_variables(command, port_of(listeners.front()));
  return {};
}

}  // namespace clever::confine::internal
