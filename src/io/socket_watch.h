#pragma once
#include <sys/epoll.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// The sockets of a network thread, in one epoll. A client removes a socket and adds it again for
/// every request of a kept connection; for sockets announced with opened() the kernel is called
/// only if something differs at the next wait, so such a request costs no call.
///
/// Owned by one thread, except for wake(), which is safe from any.
class SocketWatch {
 public:
  [[nodiscard]] static base::Result<SocketWatch> create();

  /// Ends the present or the next wait().
  void wake() const noexcept;

  /// A socket of ours: closed() will be called for it before its number is reused.
  void opened(int socket);
  void closed(int socket);
  /// EPOLLIN and EPOLLOUT, or nothing.
  void want(int socket, std::uint32_t events);

  /// Returns the sockets' events; waits this long, forever if negative.
  [[nodiscard]] std::span<const epoll_event> wait(int milliseconds);

 private:
  struct Socket {
    bool ours = false;
    std::uint32_t known = 0;  // to the kernel
    std::uint32_t wanted = 0;
  };

  SocketWatch(FileDescriptor epoll, FileDescriptor event)
      : epoll_(std::move(epoll)), event_(std::move(event)), events_(256) {}
  void tell_kernel(int number, Socket& socket) const;
  [[nodiscard]] bool is_wanted(const epoll_event& event);

  FileDescriptor epoll_;
  FileDescriptor event_;
  std::unordered_map<int, Socket> sockets_;
  std::vector<int> changed_;
  std::vector<epoll_event> events_;
};

}  // namespace clever::io
