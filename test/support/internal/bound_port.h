#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>

namespace clever::test::internal {

/// The port that a socket is bound to.
inline int bound_port(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) std::abort();
  return ntohs(address.sin_port);
}

}  // namespace clever::test::internal
