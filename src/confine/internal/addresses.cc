#include "confine/internal/addresses.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "confine/internal/stop_event.h"
#include "io/process.h"
#include "io/public_address.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

std::uint32_t last_four(const in6_addr& address) {
  std::uint32_t value = 0;
  for (std::size_t i = 12; i < 16; ++i) value = value << 8U | address.s6_addr[i];
  return value;
}

bool is_loopback(std::uint32_t address) { return address >> 24U == 127 || address == 0; }

base::Result<io::FileDescriptor> connect_one(const Address& address, int stop_event,
                                             const base::Deadline& deadline) {
  io::FileDescriptor socket(
      ::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return io::system_error(errno, "cannot create a socket");
  const int yes = 1;
  ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  const auto* raw = reinterpret_cast<const sockaddr*>(&address.bytes);
  if (::connect(socket.number(), raw, address.size) != 0 && errno != EINPROGRESS) {
    return io::system_error(errno, "cannot connect");
  }
  while (!deadline.passed()) {
    std::array<pollfd, 2> events{{{.fd = socket.number(), .events = POLLOUT, .revents = 0},
                                  {.fd = stop_event, .events = POLLIN, .revents = 0}}};
    ::poll(events.data(), events.size(), poll_timeout(deadline));
    if (events[1].revents != 0) return base::cancelled("stopped while connecting");
    if (events[0].revents == 0) continue;
    int failure = 0;
    socklen_t size = sizeof(failure);
    ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &failure, &size);
    if (failure != 0) return io::system_error(failure, "cannot connect");
    return socket;
  }
  return base::deadline_exceeded("no answer from this address");
}

}  // namespace

base::Result<Address> parse_address(const std::string& text, std::uint16_t port) {
  Address address;
  sockaddr_in four{};
  sockaddr_in6 six{};
  if (::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    address.size = sizeof(four);
    std::memcpy(&address.bytes, &four, sizeof(four));
  } else if (::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    address.size = sizeof(six);
    std::memcpy(&address.bytes, &six, sizeof(six));
  } else {
    return base::invalid_argument("'" + text + "' is not an address");
  }
  return address;
}

bool is_public(const Address& address) { return io::is_public(address.bytes); }

bool leads_here(const Address& address) {
  if (address.bytes.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address.bytes, sizeof(four));
    return is_loopback(ntohl(four.sin_addr.s_addr));
  }
  sockaddr_in6 six{};
  std::memcpy(&six, &address.bytes, sizeof(six));
  const in6_addr& bytes = six.sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&bytes)) return is_loopback(last_four(bytes));
  return IN6_IS_ADDR_LOOPBACK(&bytes) || IN6_IS_ADDR_UNSPECIFIED(&bytes);
}

// An address that can be bound belongs to this machine.
bool is_of_this_machine(const Address& address) {
  const io::FileDescriptor socket(::socket(address.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_storage bytes = address.bytes;
  auto* four = reinterpret_cast<sockaddr_in*>(&bytes);
  // Both families have the port at the same offset.
  four->sin_port = 0;
  return socket.valid() &&
         ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&bytes), address.size) == 0;
}

base::Result<std::vector<Address>> resolve(const Launcher& launcher, const Destination& destination,
                                           const base::StopToken& stop, base::Deadline deadline) {
  if (auto literal = parse_address(destination.host, destination.port); literal.ok()) {
    return std::vector<Address>{*literal};
  }
  io::ProcessOptions options{.argv = launcher.argv, .deadline = deadline, .stop = stop};
  options.argv.insert(options.argv.end(), {"resolve", destination.host});
  CLEVER_ASSIGN(const io::ProcessResult result, io::run_process(options));
  std::vector<Address> addresses;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    CLEVER_ASSIGN(Address address, parse_address(line, destination.port));
    addresses.push_back(address);
  }
  if (addresses.empty()) return base::not_found(destination.host + " has no address");
  return addresses;
}

int print_addresses(const char* host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host, nullptr, &hints, &found) != 0) return 1;
  std::string text;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    std::array<char, NI_MAXHOST> name{};
    if (::getnameinfo(entry->ai_addr, entry->ai_addrlen, name.data(), name.size(), nullptr, 0,
                      NI_NUMERICHOST) == 0) {
      text.append(name.data()).append("\n");
    }
  }
  ::freeaddrinfo(found);
  const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
  return written == static_cast<ssize_t>(text.size()) ? 0 : 1;
}

base::Result<io::FileDescriptor> connect_to(const std::vector<Address>& addresses, int stop_event,
                                            base::Deadline deadline) {
  base::Error last = base::not_found("the host has no address to connect to");
  for (const Address& address : addresses) {
    auto socket = connect_one(address, stop_event, deadline);
    if (socket.ok() || socket.error().code() == base::ErrorCode::kCancelled) return socket;
    last = std::move(socket).error();
  }
  return last;
}

}  // namespace clever::confine::internal
