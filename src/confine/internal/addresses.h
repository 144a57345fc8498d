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

/// A place to connect to. A value.
struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

/// An address as text, without a port; `invalid_argument` if it is none.
[[nodiscard]] base::Result<Address> parse_address(const std::string& text, std::uint16_t port);

/// Not this machine, not its neighbourhood, no group: an address that anybody could reach.
[[nodiscard]] bool is_public(const Address& address);

/// The loopback device, or the address that means any of this machine's.
[[nodiscard]] bool leads_here(const Address& address);

/// An address of one of this machine's devices.
[[nodiscard]] bool is_of_this_machine(const Address& address);

/// Asks the system's resolver, in a process of the launcher's: the library's own function cannot be
/// stopped.
[[nodiscard]] base::Result<std::vector<Address>> resolve(const Launcher& launcher,
                                                         const Destination& destination,
                                                         const base::StopToken& stop,
                                                         base::Deadline deadline);
/// What that process does: writes the addresses of a host to standard output, one in a line.
int print_addresses(const char* host);

/// The first that answers; the socket does not block.
[[nodiscard]] base::Result<io::FileDescriptor> connect_to(const std::vector<Address>& addresses,
                                                          int stop_event, base::Deadline deadline);

}  // namespace clever::confine::internal
