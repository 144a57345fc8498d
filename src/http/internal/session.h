#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "http/internal/connection.h"
#include "http/internal/exchange.h"
#include "http/internal/hub.h"
#include "http/message.h"
#include "http/responder.h"

namespace clever::http::internal {

class Client;

/// Passes a request to its handler; returns false if that is impossible now.
using Dispatch = std::function<bool(std::shared_ptr<const Request>, Responder)>;
/// Answers a request without its handler, or does not.
using AtOnce = std::function<std::optional<Response>(const Request&)>;

/// A connection and the request that is being answered on it: everything about a client except the
/// socket. Owned by the network thread, which feeds it and sends its output().
///
/// It ends every exchange that it makes, at the latest in the destructor, as kStopped.
class Session {
 public:
  struct Surroundings {
    const std::shared_ptr<Hub>& hub;
    const DateLine& date;
    const Dispatch& dispatch;
    const AtOnce& at_once;
  };

  /// `client` is the session's client; null in tests.
  Session(const Surroundings& surroundings, Peer peer, Client* client, base::TimePoint now);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Events; see Connection.
  void receive(std::string_view bytes, base::TimePoint now);
  void receive_end(base::TimePoint now);
  void sent(std::size_t size, base::TimePoint now);
  void expire(base::TimePoint now);
  void drain(base::TimePoint now);
  void abandon(StreamEnd reason, base::TimePoint now);
  /// A command for its present exchange.
  void apply(const Command& command, base::TimePoint now);

  [[nodiscard]] const Connection& connection() const noexcept { return connection_; }
  [[nodiscard]] Client& client() const noexcept { return *client_; }

 private:
  void settle(base::TimePoint now);
  void account(base::TimePoint now);
  void begin_exchange(ParsedRequest parsed, base::TimePoint now);
  void pump(base::TimePoint now);
  void end_exchange(StreamEnd reason);

  const std::shared_ptr<Hub>& hub_;
  const Dispatch& dispatch_;
  const AtOnce& at_once_;
  const Peer peer_;
  Client* const client_;
  Connection connection_;
  std::shared_ptr<Exchange> exchange_;
  std::size_t held_ = 0;  // bytes that the hub counts for it
  bool refusal_noted_ = false;
};

}  // namespace clever::http::internal
