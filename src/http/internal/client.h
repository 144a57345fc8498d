#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "http/internal/session.h"
#include "http/internal/tls_session.h"
#include "http/message.h"
#include "io/file_descriptor.h"

namespace clever::http::internal {

/// A session and its socket, with or without TLS between them. Used by the network thread.
class Client {
 public:
  /// `tls` may be null.
  Client(io::FileDescriptor socket, std::unique_ptr<TlsSession> tls, const Peer& peer,
         const Session::Surroundings& surroundings, base::TimePoint now)
      : peer_(peer),
        socket_(std::move(socket)),
        tls_(std::move(tls)),
        session_(surroundings, peer, this, now) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Makes the system cut a connection whose peer acknowledges nothing for this long, for example
  /// after a loss of power.
  void give_up_after(std::chrono::milliseconds time);

  [[nodiscard]] int number() const noexcept { return socket_.number(); }
  [[nodiscard]] const Peer& peer() const noexcept { return peer_; }
  [[nodiscard]] Session& session() noexcept { return session_; }
  [[nodiscard]] bool is_over() const noexcept { return session_.connection().is_over(); }

  /// Reads once, into `buffer`.
  void read(std::string& buffer, base::TimePoint now);
  /// Sends pending output, as much as the system takes.
  void write(base::TimePoint now);
  /// The events to request from epoll.
  [[nodiscard]] std::uint32_t wanted_events() const noexcept;

  /// The time under which the network's timers list it.
  base::TimePoint registered_due = base::TimePoint::max();

 private:
  enum class Sent : std::uint8_t { kSome, kNothing, kFailed };

  void receive(std::string_view bytes, base::TimePoint now);
  void decrypt(std::string_view bytes, base::TimePoint now);
  Sent write_some(base::TimePoint now);
  [[nodiscard]] bool encrypt();
  [[nodiscard]] ssize_t send(std::string_view bytes) const;
  void say_goodbye();

  const Peer peer_;
  const io::FileDescriptor socket_;
  const std::unique_ptr<TlsSession> tls_;
  Session session_;
  std::size_t encrypted_ = 0;  // the part of the connection's output that TLS has taken
  bool said_goodbye_ = false;
};

}  // namespace clever::http::internal
