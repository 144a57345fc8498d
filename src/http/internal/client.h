#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "base/clock.h"
#include "http/internal/session.h"
#include "http/message.h"
#include "io/file_descriptor.h"

namespace clever::http::internal {

/// A session and its socket. Used by the network thread.
class Client {
 public:
  Client(io::FileDescriptor socket, const Peer& peer, const Session::Surroundings& surroundings,
         base::TimePoint now)
      : peer_(peer), socket_(std::move(socket)), session_(surroundings, peer, this, now) {}

  [[nodiscard]] int number() const noexcept { return socket_.number(); }
  [[nodiscard]] const Peer& peer() const noexcept { return peer_; }
  [[nodiscard]] Session& session() noexcept { return session_; }
  [[nodiscard]] bool is_over() const noexcept { return session_.connection().is_over(); }

  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Has the system cut a connection whose peer confirms nothing for so long, as one that lost
  /// power.
  void give_up_after(std::chrono::milliseconds time);
  /// Reads once, with `buffer` for the bytes.
  void read(std::string& buffer, base::TimePoint now);
  /// Sends what there is, as far as the system takes it.
  void write(base::TimePoint now);
  /// What epoll is to tell of it.
  [[nodiscard]] std::uint32_t wanted_events() const noexcept;

  /// Under which moment the network's timers know it.
  base::TimePoint registered_due = base::TimePoint::max();

 private:
  const Peer peer_;
  const io::FileDescriptor socket_;
  Session session_;
  bool shut_ = false;
};

}  // namespace clever::http::internal
