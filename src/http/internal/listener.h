#pragma once
#include <sys/stat.h>

#include <optional>

#include "base/result.h"
#include "http/address.h"
#include "http/message.h"
#include "io/file_descriptor.h"

namespace clever::http::internal {

/// A listening socket. Owned by the network thread once that runs. A unix socket's file has mode
/// 0600; the destructor removes it unless another file has replaced it.
class Listener {
 public:
  /// `already_exists` if another server listens there. Replaces a socket file without a server; a
  /// file PATH.lock beside it keeps two servers from replacing each other's.
  [[nodiscard]] static base::Result<Listener> open(const Address& address);
  Listener(Listener&&) noexcept = default;
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  /// With the port that the system chose.
  [[nodiscard]] const Address& address() const noexcept { return address_; }
  [[nodiscard]] int number() const noexcept { return socket_.number(); }

  struct Accepted {
    io::FileDescriptor socket{};
    Peer peer{};
    int error = 0;  // why there is no socket: EAGAIN if no client waits
  };
  /// The next waiting client; its socket is non-blocking.
  [[nodiscard]] Accepted accept() const;

 private:
  struct File {
    dev_t device;
    ino_t inode;
  };
  Listener(io::FileDescriptor socket, Address address)
      : socket_(std::move(socket)), address_(std::move(address)) {}
  static base::Result<Listener> open_tcp(const Address& address);
  static base::Result<Listener> open_unix(const Address& address);
  static base::Result<Listener> bind_unix(const Address& address);

  io::FileDescriptor socket_;
  Address address_;
  std::optional<File> file_{};
};

}  // namespace clever::http::internal
