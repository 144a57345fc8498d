#include "io/socket_watch.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>

#include "io/system_error.h"

namespace clever::io {

base::Result<SocketWatch> SocketWatch::create() {
  FileDescriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.valid()) return system_error(errno, "cannot make an epoll for HTTP");
  FileDescriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event.valid()) return system_error(errno, "cannot make an eventfd for HTTP");
  // Edge-triggered: every write is an event, and no read is needed.
  epoll_event wanted{.events = EPOLLIN | EPOLLET, .data = {.fd = event.number()}};
  if (::epoll_ctl(epoll.number(), EPOLL_CTL_ADD, event.number(), &wanted) != 0) {
    return system_error(errno, "cannot watch an eventfd for HTTP");
  }
  return SocketWatch(std::move(epoll), std::move(event));
}

// Fails only if the counter is full, and then it is signalled.
void SocketWatch::wake() const noexcept {
  [[maybe_unused]] const int failed = ::eventfd_write(event_.number(), 1);
}

void SocketWatch::opened(int socket) { sockets_[socket] = {.ours = true}; }

// The kernel removes a closed socket itself.
void SocketWatch::closed(int socket) { sockets_.erase(socket); }

void SocketWatch::want(int socket, std::uint32_t events) {
  Socket& entry = sockets_[socket];
  entry.wanted = events;
  if (entry.ours) {
    if (events != 0 && events != entry.known) changed_.push_back(socket);
    return;
  }
  tell_kernel(socket, entry);
  if (events == 0) sockets_.erase(socket);
}

void SocketWatch::tell_kernel(int number, Socket& socket) const {
  if (socket.wanted == socket.known) return;
  const int operation = socket.known == 0    ? EPOLL_CTL_ADD
                        : socket.wanted == 0 ? EPOLL_CTL_DEL
                                             : EPOLL_CTL_MOD;
  epoll_event event{.events = socket.wanted, .data = {.fd = number}};
  // Fails only for lack of memory; the deadlines end the exchanges that then get no event.
  if (::epoll_ctl(epoll_.number(), operation, number, &event) == 0) socket.known = socket.wanted;
}

std::span<const epoll_event> SocketWatch::wait(int milliseconds) {
  for (const int number : changed_) {
    const auto found = sockets_.find(number);
    if (found != sockets_.end() && found->second.wanted != 0) tell_kernel(number, found->second);
  }
  changed_.clear();
  const int count =
      ::epoll_wait(epoll_.number(), events_.data(), static_cast<int>(events_.size()), milliseconds);
  const auto end = std::remove_if(events_.begin(), events_.begin() + std::max(count, 0),
                                  [&](const epoll_event& event) { return !is_wanted(event); });
  return {events_.begin(), end};
}

// An event of a socket that libcurl removed: remove it from the kernel's set too.
bool SocketWatch::is_wanted(const epoll_event& event) {
  if (event.data.fd == event_.number()) return false;
  const auto found = sockets_.find(event.data.fd);
  if (found == sockets_.end()) return false;
  if (found->second.wanted != 0) return true;
  tell_kernel(event.data.fd, found->second);
  return false;
}

}  // namespace clever::io
