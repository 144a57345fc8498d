#pragma once
#include <sys/socket.h>

namespace clever::io {

/// Whether an IPv4 or IPv6 address is globally reachable: not this machine, not a private or any
/// other special network, not a tunnel that may lead there. Pure.
[[nodiscard]] bool is_public(const sockaddr_storage& address);

}  // namespace clever::io
