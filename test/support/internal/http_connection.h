#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/http_server.h"
#include "support/internal/request_parser.h"
#include "support/internal/socket_stream.h"

namespace clever::test::internal {

/// What a connection needs of its server. Called on the server's thread.
class HttpConnectionHost {
 public:
  virtual ~HttpConnectionHost() = default;
  /// Counts the request and asks the handler.
  virtual HttpReply handle(SeenRequest request) = 0;
  [[nodiscard]] virtual bool gate_is_open(const std::string& gate) = 0;
  virtual void wait_at(std::size_t connection, const std::string& gate) = 0;
  virtual void wake_after(std::size_t connection, std::chrono::milliseconds time) = 0;
  virtual void reply_finished() = 0;
  /// A socket to a local port, watched as the other end of this connection's tunnel.
  virtual io::FileDescriptor open_tunnel(std::size_t connection, int port) = 0;
};

/// One connection of the server: reads requests and plays the replies' steps. Every function
/// returns false when the connection is over. Owned by the server's thread.
class HttpConnection {
 public:
  HttpConnection(std::size_t number, io::FileDescriptor socket, const TlsContext* tls,
                 HttpConnectionHost& host)
      : number_(number), stream_(std::move(socket), tls), host_(host) {}

  [[nodiscard]] bool on_readable();
  [[nodiscard]] bool on_writable() { return play(); }
  /// What the reply waited for is there.
  [[nodiscard]] bool resume();
  [[nodiscard]] bool on_tunnel_readable();

  [[nodiscard]] int descriptor() const { return stream_.descriptor(); }
  [[nodiscard]] bool wants_to_write() const { return !output_.empty(); }
  /// Whether wants_to_write() differs from the last time this was asked.
  [[nodiscard]] bool interest_changed() {
    return std::exchange(wanted_to_write_, wants_to_write()) != wants_to_write();
  }
  /// Whether the peer, not the server, ended it.
  [[nodiscard]] bool closed_by_peer() const { return closed_by_peer_; }
  /// Has served, and serves nothing at present.
  [[nodiscard]] bool idle() const { return served_ > 0 && !playing_ && !ended_; }

 private:
  enum class Next : std::uint8_t { kStep, kPause, kAgain, kOver };

  bool take_request();
  void begin(HttpReply reply);
  bool play();
  bool play_steps();
  void flush();
  void finish_reply();
  void end(bool in_order);

  Next run(Send& step);
  Next run(SendRaw& step);
  Next run(Wait& step);
  Next run(WaitFor& step);
  Next run(Cut& step);
  Next run(Stall& step);
  Next run(Tunnel& step);

  const std::size_t number_;
  SocketStream stream_;
  HttpConnectionHost& host_;
  RequestParser parser_;
  std::string output_;
  HttpReply reply_;
  std::vector<Step> steps_;
  std::size_t next_step_ = 0;
  std::size_t served_ = 0;
  bool playing_ = false;
  bool waiting_ = false;
  bool ended_ = false;
  bool closed_by_peer_ = false;
  bool wanted_to_write_ = false;
  std::optional<SocketStream> tunnel_;
};

}  // namespace clever::test::internal
