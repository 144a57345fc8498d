#pragma once
#include <sys/socket.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"
#include "confine/internal/host_rules.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// An address to connect to. A value.
struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

/// Parses an address without a port; `invalid_argument` otherwise.
[[nodiscard]] base::Result<Address> parse_address(const std::string& text, std::uint16_t port);

/// A globally reachable address: not this machine, its local network, or a group.
[[nodiscard]] bool is_public(const Address& address);

/// The loopback device, or the address for all of this machine's.
[[nodiscard]] bool leads_here(const Address& address);

/// An address of one of this machine's devices.
[[nodiscard]] bool is_of_this_machine(const Address& address);

/// Calls the system's resolver in a process of the launcher's, because the library function cannot
/// be interrupted.
[[nodiscard]] base::Result<std::vector<Address>> resolve(const Launcher& launcher,
                                                         const Destination& destination,
                                                         const base::StopToken& stop,
                                                         base::Deadline deadline);
/// The body of that process: writes the addresses of a host to standard output, one per line.
int print_addresses(const char* host);

/// The first that accepts; the socket is non-blocking.
[[nodiscard]] base::Result<io::FileDescriptor> connect_to(const std::vector<Address>& addresses,
                                                          int stop_event, base::Deadline deadline);

}  // namespace clever::confine::internal
