#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/random.h"
#include "confine/confined_process.h"
#include "io/http.h"
#include "mcp/client.h"

namespace clever::mcp {

namespace internal {
class ServerSlot;
}

enum class ServerState : std::uint8_t { kIdle, kStarting, kReady };
[[nodiscard]] std::string_view to_string(ServerState state) noexcept;

/// The status of one server. A value.
struct ServerHealth {
  std::string name;
  ServerState state = ServerState::kIdle;
  base::CircuitState circuit = base::CircuitState::kClosed;
  std::uint64_t starts = 0;
  std::size_t open_calls = 0;
  std::string last_error{};
  ServerFacts facts{};
};

/// Makes the transport to a server: starts its process, or prepares HTTP.
using OpenTransport =
    std::function<base::Result<std::unique_ptr<Transport>>(const ServerOptions& options)>;

/// The usual transports. Its arguments must outlive them.
[[nodiscard]] OpenTransport open_transport(base::Clock& clock, io::Http& http,
                                           confine::Launcher launcher);

/// Several servers by name, each started on demand and again after it died. A server affects only
/// its own calls: each waits on its caller's thread, with its caller's stop and deadline. If it
/// dies, its open calls fail at once; the next call restarts it, unless it failed too often in a
/// row: then calls fail at once until a pause is over (base::Circuit).
///
/// Owned by the composition root. Thread-safe. The destructor ends all servers; no call may be in
/// progress.
class Servers {
 public:
  struct Dependencies {
    base::Clock& clock;
    base::Random& random;
    OpenTransport open;
    base::CircuitOptions circuit{};
  };

  /// `invalid_argument` for duplicate names, or a server without exactly one of command and URL.
  [[nodiscard]] static base::Result<std::unique_ptr<Servers>> create(
      Dependencies dependencies, std::vector<ServerOptions> options);
  ~Servers();
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;

  [[nodiscard]] std::vector<std::string> names() const;
  /// `not_found` lists the known servers.
  base::Result<std::vector<ServerTool>> tools(std::string_view server, const base::StopToken& stop,
                                              base::Deadline deadline);
  base::Result<ToolResult> call(std::string_view server, std::string_view tool,
                                std::string_view arguments, const CallOptions& options);
  [[nodiscard]] std::vector<ServerHealth> health() const;

 private:
  using Slots = std::map<std::string, std::unique_ptr<internal::ServerSlot>, std::less<>>;
  Servers(Dependencies dependencies, std::vector<ServerOptions> options);
  base::Result<internal::ServerSlot*> find(std::string_view server) const;

  // Constant after construction.
  const Dependencies dependencies_;
  base::CircuitBreaker circuits_;
  Slots slots_;
};

}  // namespace clever::mcp
