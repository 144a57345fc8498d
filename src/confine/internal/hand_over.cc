#include "confine/internal/hand_over.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

// A port, and room for a descriptor.
struct Parcel {
  Parcel() {
    message.msg_iov = &content;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
  }
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;

  std::uint16_t port = 0;
  iovec content{.iov_base = &port, .iov_len = sizeof(port)};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
  msghdr message{};
};

}  // namespace

base::Result<void> hand_over(int socket, const io::FileDescriptor& descriptor, std::uint16_t port) {
  Parcel parcel;
  parcel.port = port;
  cmsghdr* head = CMSG_FIRSTHDR(&parcel.message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = descriptor.number();
  std::memcpy(CMSG_DATA(head), &number, sizeof(number));
  while (::sendmsg(socket, &parcel.message, MSG_NOSIGNAL) < 0) {
    if (errno == EPIPE || errno == ECONNRESET) return base::unavailable("no process is listening");
    if (errno != EINTR) return io::system_error(errno, "cannot hand a connection over");
  }
  return {};
}

base::Result<HandedOver> take_over(int socket) {
  Parcel parcel;
  ssize_t count = 0;
  while ((count = ::recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (count < 0) return io::system_error(errno, "cannot take a connection over");
  const cmsghdr* head = CMSG_FIRSTHDR(&parcel.message);
  if (count == 0 || head == nullptr || head->cmsg_type != SCM_RIGHTS) {
    return base::unavailable("the other side closed the connection");
  }
  int number = -1;
  std::memcpy(&number, CMSG_DATA(head), sizeof(number));
  io::FileDescriptor connection(number);
  if (count != sizeof(parcel.port)) return base::unavailable("a connection without its port");
  return HandedOver{.connection = std::move(connection), .port = parcel.port};
}

}  // namespace clever::confine::internal
