#include "io/socket_probe.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>

#include "io/file_descriptor.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

// The resolver uses these in its own thread, also after the caller gave up.
struct Lookup {
  std::string host;
  std::string port;
  addrinfo hints{};
  gaicb request{};
};

timespec remaining_time(const base::Deadline& deadline) {
  using namespace std::chrono;
  const auto left = std::min<base::Duration>(deadline.remaining(), hours{1});
  const auto whole = duration_cast<seconds>(left);
  return {.tv_sec = whole.count(), .tv_nsec = duration_cast<nanoseconds>(left - whole).count()};
}

int remaining_milliseconds(const base::Deadline& deadline) {
  using namespace std::chrono;
  const auto left = std::min<base::Duration>(deadline.remaining(), hours{1});
  return static_cast<int>(ceil<milliseconds>(left).count());
}

base::Error too_late(const std::string& what) {
  return base::deadline_exceeded("no answer in time from " + what);
}

base::Error refused(int reason, const std::string& what) {
  return base::unavailable("cannot connect to " + what + ": " + system_message(reason));
}

base::Result<Addresses> resolve(const std::string& host, std::uint16_t port,
                                const base::Deadline& deadline) {
  auto lookup = std::make_unique<Lookup>(Lookup{host, std::to_string(port), {}, {}});
  lookup->hints.ai_socktype = SOCK_STREAM;
  lookup->request.ar_name = lookup->host.c_str();
  lookup->request.ar_service = lookup->port.c_str();
  lookup->request.ar_request = &lookup->hints;
  gaicb* request = &lookup->request;
  int code = ::getaddrinfo_a(GAI_NOWAIT, &request, 1, nullptr);
  while (code == 0 && (code = ::gai_error(request)) == EAI_INPROGRESS) {
    if (deadline.passed()) {
      // A request that cannot be cancelled still writes to its memory, so leave that alive.
      [[maybe_unused]] const Lookup* abandoned =
          ::gai_cancel(request) == EAI_NOTCANCELED ? lookup.release() : nullptr;
      return too_late("the look-up of " + host);
    }
    const timespec left = remaining_time(deadline);
    static_cast<void>(::gai_suspend(&request, 1, &left));
    code = 0;
  }
  if (code != 0) return base::not_found("cannot look up " + host + ": " + ::gai_strerror(code));
  return Addresses(request->ar_result);
}

base::Result<void> connect_to(const sockaddr* address, socklen_t size, const std::string& what,
                              const base::Deadline& deadline) {
  const FileDescriptor socket(
      ::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return refused(errno, what);
  if (::connect(socket.number(), address, size) == 0) return {};
  if (errno != EINPROGRESS) return refused(errno, what);
  pollfd entry{.fd = socket.number(), .events = POLLOUT, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&entry, 1, remaining_milliseconds(deadline));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) return too_late(what);
  int reason = 0;
  socklen_t length = sizeof reason;
  static_cast<void>(::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &reason, &length));
  if (reason != 0) return refused(reason, what);
  return {};
}

}  // namespace

base::Result<void> probe_tcp(const std::string& host, std::uint16_t port, base::Deadline deadline) {
  CLEVER_ASSIGN(const Addresses addresses, resolve(host, port, deadline));
  const std::string what = host + " port " + std::to_string(port);
  base::Result<void> outcome = base::unavailable(host + " has no address");
  for (const addrinfo* at = addresses.get(); at != nullptr; at = at->ai_next) {
    outcome = connect_to(at->ai_addr, at->ai_addrlen, what, deadline);
    if (outcome.ok() || deadline.passed()) break;
  }
  return outcome;
}

base::Result<void> probe_unix_socket(const std::filesystem::path& path, base::Deadline deadline) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& name = path.native();
  if (name.size() >= sizeof address.sun_path) {
    return base::invalid_argument("the path of a socket has at most " +
                                  std::to_string(sizeof address.sun_path - 1) + " bytes: " + name);
  }
  std::ranges::copy(name, static_cast<char*>(address.sun_path));
  const void* bytes = &address;
  return connect_to(static_cast<const sockaddr*>(bytes), sizeof address, name, deadline);
}

}  // namespace clever::io
