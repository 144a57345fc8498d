#include "confine/internal/forwarder.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "confine/internal/hand_over.h"
#include "confine/internal/privileges.h"
#include "confine/internal/streams.h"
#include "confine/internal/supervisor.h"
#include "io/file_descriptor.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

struct Listener {
  io::FileDescriptor socket;
  unsigned port = 0;
};

base::Result<Listener> listen_inside() {
  io::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof(address);
  if (!socket.valid() || ::bind(socket.number(), raw, size) != 0 ||
      ::listen(socket.number(), 128) != 0 || ::getsockname(socket.number(), raw, &size) != 0) {
    return io::system_error(errno, "cannot listen for the network's proxy");
  }
  return Listener{.socket = std::move(socket), .port = ntohs(address.sin_port)};
}

[[noreturn]] void forward(const io::FileDescriptor& listener) {
  forget_standard_streams();
  ::close(kControlNumber);
  if (!drop_privileges().ok()) ::_exit(1);
  while (true) {
    const io::FileDescriptor connection(
        ::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.valid() && errno != EINTR && errno != ECONNABORTED) ::_exit(1);
    if (connection.valid() && !hand_over(kProxyNumber, connection).ok()) ::_exit(0);
  }
}

void add_variables(Command& command, unsigned port) {
  const std::string proxy = "http://127.0.0.1:" + std::to_string(port);
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"}) {
    command.environment.push_back(std::string(name) + "=" + proxy);
  }
  for (const char* name : {"NO_PROXY", "no_proxy"}) {
    command.environment.push_back(std::string(name) + "=127.0.0.1,::1");
  }
}

}  // namespace

base::Result<void> start_forwarder(Command& command) {
  CLEVER_ASSIGN(const Listener listener, listen_inside());
  const pid_t process = ::fork();
  if (process < 0) return io::system_error(errno, "cannot start a process");
  if (process == 0) forward(listener.socket);
  add_variables(command, listener.port);
  return {};
}

}  // namespace clever::confine::internal
