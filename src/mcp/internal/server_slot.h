#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/circuit_breaker.h"
#include "base/monitor.h"
#include "mcp/servers.h"

namespace clever::mcp::internal {

/// One server: its client, if it runs, and its count of failures.
///
///     idle      a call comes                      starting, on that call's thread; others wait
///     starting  agreed                            ready
///     starting  failed                            idle; every waiting call gets the error
///     starting  its call was stopped or too late  idle; one of the waiting calls continues
///     ready     seen dead                         idle
///
/// Thread-safe.
class ServerSlot {
 public:
  ServerSlot(const Servers::Dependencies& dependencies, ServerOptions options,
             std::shared_ptr<base::Circuit> circuit);

  base::Result<std::vector<ServerTool>> tools(const base::StopToken& stop, base::Deadline deadline);
  base::Result<ToolResult> call(std::string_view tool, std::string_view arguments,
                                const CallOptions& options);
  [[nodiscard]] ServerHealth health() const;

 private:
  using Permit = base::Circuit::Permit;

  struct State {
    ServerState state = ServerState::kIdle;
    std::shared_ptr<Client> client{};
    /// Held by the present client, until its first answer or its end.
    std::optional<Permit> permit{};
    std::uint64_t starts = 0;
    std::uint64_t failures = 0;
    std::size_t open_calls = 0;
    Era era = Era::kUnknown;
    std::optional<base::Error> last_error{};
  };

  /// The next step of a call.
  struct Step {
    std::shared_ptr<Client> client{};
    std::optional<Permit> permit{};
    Era era = Era::kUnknown;
    std::optional<base::Error> error{};
    std::shared_ptr<Client> dead{};
  };

  template <class Use>
  auto use(const base::StopToken& stop, base::Deadline deadline, Use use)
      -> decltype(use(std::declval<Client&>()));
  base::Result<std::shared_ptr<Client>> acquire(const base::StopToken& stop,
                                                base::Deadline deadline);
  Step next_step(State& state, std::uint64_t failures_seen);
  base::Result<std::shared_ptr<Client>> start(Step step, const base::StopToken& stop,
                                              base::Deadline deadline);
  base::Result<std::unique_ptr<Client>> connect(Era era, const base::StopToken& stop,
                                                base::Deadline deadline) const;
  base::Result<std::unique_ptr<Client>> connect_once(Era era, const base::StopToken& stop,
                                                     base::Deadline deadline) const;
  void release(const std::shared_ptr<Client>& client, bool answered);
  [[nodiscard]] base::Error paused(const State& state) const;

  // Constant after construction.
  const Servers::Dependencies& dependencies_;
  const ServerOptions options_;
  const std::shared_ptr<base::Circuit> circuit_;
  base::Monitor<State> state_;
};

}  // namespace clever::mcp::internal
