#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "mcp/server.h"
#include "mcp/transport.h"

namespace clever::mcp {

/// The progress of a call, as its server reports it.
struct Progress {
  double done = 0;
  double total = 0;  // 0: unknown
  std::string message{};
};

/// The limits of one call.
struct CallOptions {
  base::StopToken stop{};
  base::Deadline deadline = base::Deadline::never();
  /// How long the server may send neither an answer nor progress; zero means no limit.
  std::chrono::milliseconds patience{0};
  /// Called on the caller's thread while it waits; only with the newest progress.
  std::function<void(const Progress&)> on_progress{};
};

/// The result of the first contact with a server; remembered for its next start.
enum class Era : std::uint8_t {
  kUnknown,
  kLegacy,  // initialize: 2025-11-25, 2025-06-18
  kModern,  // each request names its revision: 2026-07-28
};

struct ClientOptions {
  std::string server_name{};
  std::vector<std::filesystem::path> roots{};
  /// kLegacy: skip the probe for a modern server.
  Era era = Era::kUnknown;
  /// How long a program may leave the probe unanswered before it counts as a legacy one.
  std::chrono::milliseconds probe_timeout{std::chrono::seconds{5}};
};

/// A connection to one server. Owned by the caller of connect(); thread-safe, any number of
/// concurrent calls. The destructor fails the open calls and ends the connection.
///
/// Errors: `cancelled` and `deadline_exceeded` come from the caller (and the server got a
/// cancellation of the call); `unavailable`: the server died or cannot be reached (with its last
/// output); `conflict`: its session has ended and nothing was done, so a repetition on a new
/// connection is safe; `corruption`: it violated the protocol; `invalid_argument`: it refused the
/// request; `resource_exhausted`: a limit of ours, or it does not read what we send.
class Client {
 public:
  /// Agrees on a revision. The clock must outlive the client.
  [[nodiscard]] static base::Result<std::unique_ptr<Client>> connect(
      std::unique_ptr<Transport> transport, base::Clock& clock, ClientOptions options,
      const base::StopToken& stop, base::Deadline deadline);
  ~Client();

  [[nodiscard]] ServerFacts facts() const;
  [[nodiscard]] Era era() const;

  /// All pages; cached until the server announces a change, or for as long as it allows.
  base::Result<std::vector<ServerTool>> tools(const base::StopToken& stop, base::Deadline deadline);
  /// `arguments`: a JSON object as text.
  base::Result<ToolResult> call(std::string_view tool, std::string_view arguments,
                                const CallOptions& options);
  /// Whether it still answers: `ping`, or `server/discover` in revisions without ping.
  base::Result<void> ping(const base::StopToken& stop, base::Deadline deadline);

  /// False for good once the connection has ended.
  [[nodiscard]] bool alive() const;
  /// Why it ended, and other oddities, for a person: the newest lines of the server's log, and
  /// tools left out with the reason. Bounded.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  class Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::mcp
