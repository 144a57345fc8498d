#pragma once
#include <sys/epoll.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/monitor.h"
#include "base/stop_token.h"
#include "http/internal/admission.h"
#include "http/internal/client.h"
#include "http/internal/date_line.h"
#include "http/internal/hub.h"
#include "http/internal/listener.h"
#include "http/internal/session.h"
#include "http/internal/tls_context.h"
#include "io/socket_watch.h"

namespace clever::http::internal {

/// The server's network thread: accepts, reads, writes, and keeps time for all connections.
/// Everything except drain() and connections() belongs to the thread in run().
class Network {
 public:
  struct Settings {
    std::vector<Listener> listeners;
    std::shared_ptr<const TlsSlot> tls;  // null: TCP without TLS
    Dispatch dispatch;
    AtOnce at_once;
  };

  Network(std::shared_ptr<Hub> hub, std::shared_ptr<io::SocketWatch> watch, Settings settings,
          const base::Clock& clock);

  /// Runs until a stop is requested; then ends every connection and every exchange.
  void run(const base::StopToken& stop);

  /// Thread-safe. Stops accepting, closes idle connections, and waits for the rest.
  base::Result<void> drain(const base::StopToken& stop, base::Deadline deadline);
  /// Thread-safe.
  [[nodiscard]] std::size_t connections() const;

 private:
  using Due = std::set<std::pair<base::TimePoint, Client*>>;

  void tick();
  void take_commands();
  void begin_drain();
  void expire_due();
  void wait_for_events();
  [[nodiscard]] int milliseconds_to_wait() const;

  void accept_from(const Listener& listener);
  void accept(Listener::Accepted accepted);
  void turn_away(const Listener::Accepted& accepted) const;
  void pause_accepting();
  void resume_accepting();
  void act(Client& client, std::uint32_t events);
  void serve(Client& client);
  void watch_due(Client& client);
  void remove(Client& client);
  void end_all();

  // Constant after construction.
  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<io::SocketWatch> watch_;
  const Dispatch dispatch_;
  const AtOnce at_once_;
  const std::shared_ptr<const TlsSlot> tls_;
  const base::Clock& clock_;

  // Shared.
  struct Open {
    std::size_t connections = 0;
    bool draining = false;
  };
  base::Monitor<Open> open_;

  // Owned by the thread.
  std::vector<Listener> listeners_;
  Admission admission_;
  DateLine date_;
  std::unordered_map<int, std::unique_ptr<Client>> clients_;
  // Ended in this round: their numbers must not be reused before its events are handled.
  std::vector<std::unique_ptr<Client>> gone_;
  Due due_;
  base::TimePoint now_{};
  // When to accept again after the system ran out of descriptors; normally never.
  base::TimePoint accept_due_ = base::TimePoint::max();
  std::uint64_t connections_ = 0;
  std::vector<Command> commands_;
  std::string buffer_;
};

}  // namespace clever::http::internal
