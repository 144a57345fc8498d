#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "http/address.h"
#include "http/limits.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/tls.h"

namespace clever::http {

namespace internal {
class Handlers;
class Hub;
class Network;
class TlsSlot;
}  // namespace internal

/// Answers a request at once, on the network thread, which serves all connections: it must neither
/// wait nor throw. Nothing: the handler answers.
using AtOnce = std::function<std::optional<Response>(const Request&)>;

struct Options {
  std::vector<Address> listen{};
  /// TLS 1.2 and later on all addresses except unix sockets; otherwise plain HTTP.
  std::optional<TlsFiles> tls{};
  Limits limits{};
  /// May be empty.
  AtOnce at_once{};
};

/// Answers a request, on a thread of the pool: within the call, or later through the Responder. Any
/// number run at once. Must not throw.
using Handler = std::function<void(std::shared_ptr<const Request>, Responder)>;

/// An HTTP/1.1 server: any number of connections on its own network thread, handlers on the
/// caller's pool.
///
/// Owned by the composition root. Thread-safe. The destructor cuts every connection, waits for
/// running handlers, and must not run on a thread of the pool or the network; call drain() first to
/// let requests end properly. Only opening can fail; later problems concern single connections.
class Server {
 public:
  struct Counts {
    std::size_t connections = 0;
    std::size_t streams = 0;
    // Since the start.
    std::uint64_t requests = 0;  // that reached the handler, or found the pool full
    std::uint64_t refused = 0;   // requests and connections that did not
  };

  /// Listens, or names the address that is unavailable. `pool` and `clock` must outlive the server.
  [[nodiscard]] static base::Result<std::unique_ptr<Server>> open(Options options, Handler handler,
                                                                  base::ThreadPool& pool,
                                                                  const base::Clock& clock);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Its addresses, in the order of Options::listen, with the ports that the system chose.
  [[nodiscard]] const std::vector<Address>& addresses() const noexcept { return addresses_; }
  [[nodiscard]] Counts counts() const;

  /// Accepts no more connections and no further requests on existing ones, and waits until each has
  /// its answer. Streams end when their handlers close them. `deadline_exceeded` or `cancelled` if
  /// connections are left; the server continues to serve these.
  base::Result<void> drain(const base::StopToken& stop, base::Deadline deadline);

  /// Reads the files of Options::tls again, for future connections. After a failure the old
  /// certificate stays in use. `invalid_argument` without TLS.
  base::Result<void> reload_certificate();

 private:
  struct Parts;
  explicit Server(Parts parts);

  // Constant after construction.
  const std::vector<Address> addresses_;
  const std::shared_ptr<internal::Hub> hub_;
  const std::shared_ptr<internal::Handlers> handlers_;
  const std::shared_ptr<internal::TlsSlot> tls_;
  const std::unique_ptr<internal::Network> network_;
  const std::function<void()> wake_;

  base::Thread thread_;
};

}  // namespace clever::http
