#include "http/internal/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "base/clock.h"
#include "io/file_lock.h"
#include "io/socket_probe.h"
#include "io/system_error.h"

namespace clever::http::internal {
namespace {

using io::FileDescriptor;
using io::system_error;

constexpr int kBacklog = 1024;

// An address of any family, as system calls take it.
union SocketAddress {
  sockaddr any;
  sockaddr_in ipv4;
  sockaddr_in6 ipv6;
  sockaddr_un local;
};

socklen_t fill_tcp(const Address& address, SocketAddress& result) {
  result = {};
  if (::inet_pton(AF_INET, address.host.c_str(), &result.ipv4.sin_addr) == 1) {
    result.ipv4.sin_family = AF_INET;
    result.ipv4.sin_port = htons(address.port);
    return sizeof result.ipv4;
  }
  if (::inet_pton(AF_INET6, address.host.c_str(), &result.ipv6.sin6_addr) == 1) {
    result.ipv6.sin6_family = AF_INET6;
    result.ipv6.sin6_port = htons(address.port);
    return sizeof result.ipv6;
  }
  return 0;
}

void read_tcp(const SocketAddress& address, std::string& host, std::uint16_t& port) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.any.sa_family == AF_INET) {
    host = ::inet_ntop(AF_INET, &address.ipv4.sin_addr, text.data(), text.size());
    port = ntohs(address.ipv4.sin_port);
  } else if (address.any.sa_family == AF_INET6) {
    host = ::inet_ntop(AF_INET6, &address.ipv6.sin6_addr, text.data(), text.size());
    port = ntohs(address.ipv6.sin6_port);
  }
}

void switch_on(const FileDescriptor& socket, int level, int option) {
  const int on = 1;
  static_cast<void>(::setsockopt(socket.number(), level, option, &on, sizeof on));
}

base::Error cannot_listen(int error, const Address& address) {
  return system_error(error, "cannot listen on " + address.text());
}

}  // namespace

Listener::~Listener() {
  if (!file_ || !socket_.valid()) return;
  struct stat now{};
  const bool ours = ::lstat(address_.socket.c_str(), &now) == 0 && now.st_dev == file_->device &&
                    now.st_ino == file_->inode;
  if (ours) ::unlink(address_.socket.c_str());
}

base::Result<Listener> Listener::open(const Address& address) {
  return address.is_unix_socket() ? open_unix(address) : open_tcp(address);
}

base::Result<Listener> Listener::open_tcp(const Address& address) {
  SocketAddress where;
  const socklen_t size = fill_tcp(address, where);
  if (size == 0) return base::invalid_argument("'" + address.host + "' is not an IP address");
  FileDescriptor socket(
      ::socket(where.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return cannot_listen(errno, address);
  switch_on(socket, SOL_SOCKET, SO_REUSEADDR);
  if (where.any.sa_family == AF_INET6) switch_on(socket, IPPROTO_IPV6, IPV6_V6ONLY);
  if (::bind(socket.number(), &where.any, size) != 0 || ::listen(socket.number(), kBacklog) != 0) {
    return cannot_listen(errno, address);
  }
  socklen_t length = sizeof where;
  if (::getsockname(socket.number(), &where.any, &length) != 0) {
    return cannot_listen(errno, address);
  }
  Address actual = address;
  read_tcp(where, actual.host, actual.port);
  return Listener(std::move(socket), std::move(actual));
}

base::Result<Listener> Listener::open_unix(const Address& address) {
  std::filesystem::path lock_path = address.socket;
  lock_path += ".lock";
  CLEVER_ASSIGN(const io::FileLock lock, io::FileLock::try_acquire(lock_path));
  return bind_unix(address);
}

base::Result<Listener> Listener::bind_unix(const Address& address) {
  base::SystemClock clock;
  const auto soon = base::Deadline::after(clock, std::chrono::seconds(5));
  const base::Result<void> probed = io::probe_unix_socket(address.socket, soon);
  if (probed.ok()) {
    return base::already_exists("another server listens on " + address.socket.string());
  }
  if (probed.error().code() == base::ErrorCode::kInvalidArgument) return probed.error();
  struct stat found{};
  if (::lstat(address.socket.c_str(), &found) == 0) {
    if (!S_ISSOCK(found.st_mode)) {
      return base::already_exists(address.socket.string() +
                                  " is not a socket: remove it, or listen "
                                  "elsewhere");
    }
    if (::unlink(address.socket.c_str()) != 0) return cannot_listen(errno, address);
  }
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return cannot_listen(errno, address);
  // Before it has a name, so that the file never exists with another mode.
  if (::fchmod(socket.number(), 0600) != 0) return cannot_listen(errno, address);
  SocketAddress where{};
  where.local = {};
  where.local.sun_family = AF_UNIX;
  std::ranges::copy(address.socket.native(), static_cast<char*>(where.local.sun_path));
  if (::bind(socket.number(), &where.any, sizeof where.local) != 0 ||
      ::listen(socket.number(), kBacklog) != 0 || ::lstat(address.socket.c_str(), &found) != 0) {
    return cannot_listen(errno, address);
  }
  Listener listener(std::move(socket), address);
  listener.file_ = File{.device = found.st_dev, .inode = found.st_ino};
  return listener;
}

Listener::Accepted Listener::accept() const {
  SocketAddress from{};
  socklen_t size = sizeof from;
  Accepted accepted;
  accepted.socket =
      FileDescriptor(::accept4(socket_.number(), &from.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!accepted.socket.valid()) {
    accepted.error = errno;
    return accepted;
  }
  accepted.peer.unix_socket = address_.is_unix_socket();
  if (accepted.peer.unix_socket) {
    ucred credentials{};
    socklen_t length = sizeof credentials;
    if (::getsockopt(accepted.socket.number(), SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0)
      accepted.peer.process = credentials.pid;
  } else {
    SocketAddress own{};
    socklen_t length = sizeof own;
    if (::getsockname(accepted.socket.number(), &own.any, &length) == 0)
      read_tcp(own, accepted.peer.own_address, accepted.peer.own_port);
    read_tcp(from, accepted.peer.address, accepted.peer.port);
    switch_on(accepted.socket, IPPROTO_TCP, TCP_NODELAY);
    switch_on(accepted.socket, SOL_SOCKET, SO_KEEPALIVE);
  }
  return accepted;
}

}  // namespace clever::http::internal
