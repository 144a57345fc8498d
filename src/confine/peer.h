#pragma once
#include <cstdint>
#include <string>

// Who is at the other end of a connection to a server of this machine: commands in confinement must
// not reach one, whatever their network is. Plain functions, safe from any thread.
namespace clever::confine {

/// A TCP connection as the server's end has it. Addresses are numeric. A value.
struct TcpConnection {
  std::string peer_address{};
  std::uint16_t peer_port = 0;
  std::string own_address{};
  std::uint16_t own_port = 0;
};

/// False if a process outside of every confinement holds the other end, or if that is on another
/// machine. What cannot be known counts as confined: an end that its process has closed, and one
/// that no visible process of this account holds while commands are confined.
[[nodiscard]] bool may_be_confined(const TcpConnection& connection);

/// The same of the process at the other end of a unix socket; 0 if it is in a foreign namespace.
[[nodiscard]] bool may_be_confined(std::int64_t process);

}  // namespace clever::confine
