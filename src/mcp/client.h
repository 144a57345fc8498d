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

/// How far a call has come, as its server says.
struct Progress {
  double done = 0;
  double total = 0;  // 0: not known
  std::string message{};
};

/// One call's own limits, shared with no other call.
struct CallOptions {
  base::StopToken stop{};
  base::Deadline deadline = base::Deadline::never();
  /// How long the server may send neither an answer nor progress; zero means as long as it likes.
  std::chrono::milliseconds patience{0};
  /// Called on the caller's thread while it waits; only the newest news are told.
  std::function<void(const Progress&)> on_progress{};
};

/// What came of looking at a server for the first time; remembered for its next start.
enum class Era : std::uint8_t {
  kUnknown,
  kLegacy,  // initialize: 2025-11-25, 2025-06-18
  kModern,  // each request speaks for itself: 2026-07-28
};

struct ClientOptions {
  std::string server_name{};
  std::vector<std::filesystem::path> roots{};
  /// kLegacy: the server is not asked whether it is modern.
  Era era = Era::kUnknown;
  /// How long a program may be silent to the first question before it is taken for a legacy one.
  std::chrono::milliseconds probe_timeout{std::chrono::seconds{5}};
};

/// A conversation with one server. Owned by whoever connected; thread-safe, any number of calls at
/// once. The destructor fails the open calls and ends the conversation.
///
/// Errors: `cancelled` and `deadline_exceeded` are the caller's own (the server has been told to
/// stop); `unavailable`: the server died or cannot be reached (with its last words); `conflict`:
/// its session is over and nothing was done, so connecting again and repeating is safe;
/// `corruption`: what it said is not the protocol; `invalid_argument`: it refused the request;
/// `resource_exhausted`: a limit of ours, or it does not read what we send.
class Client {
 public:
  /// Agrees on a revision. The clock must outlive the client.
  [[nodiscard]] static base::Result<std::unique_ptr<Client>> connect(
      std::unique_ptr<Transport> transport, base::Clock& clock, ClientOptions options,
      const base::StopToken& stop, base::Deadline deadline);
  virtual ~Client() = default;

  [[nodiscard]] virtual ServerFacts facts() const = 0;
  [[nodiscard]] virtual Era era() const = 0;

  /// All pages; kept until the server says that it changed, or as long as it allows.
  virtual base::Result<std::vector<ServerTool>> tools(const base::StopToken& stop,
                                                      base::Deadline deadline) = 0;
  /// `arguments`: a JSON object as text.
  virtual base::Result<ToolResult> call(std::string_view tool, std::string_view arguments,
                                        const CallOptions& options) = 0;
  /// Whether it still answers: `ping`, or `server/discover` where there is no ping.
  virtual base::Result<void> ping(const base::StopToken& stop, base::Deadline deadline) = 0;

  /// False for good once the conversation has ended.
  [[nodiscard]] virtual bool alive() const = 0;
  /// Why it ended, and what else was odd: for a person. The newest lines of the server's log, tools
  /// left out and why. Bounded.
  [[nodiscard]] virtual std::vector<std::string> remarks() const = 0;
};

}  // namespace clever::mcp
