#include "mcp/internal/server_slot.h"

#include <utility>

namespace clever::mcp::internal {
namespace {

// Whether the error leaves the server as usable as before.
template <class T>
bool answered(const base::Result<T>& result) {
  if (result.ok()) return true;
  const auto code = result.error().code();
  return code == base::ErrorCode::kInvalidArgument || code == base::ErrorCode::kInternal;
}

template <class T>
bool session_over(const base::Result<T>& result) {
  return !result.ok() && result.error().code() == base::ErrorCode::kConflict;
}

}  // namespace

ServerSlot::ServerSlot(const Servers::Dependencies& dependencies, ServerOptions options,
                       std::shared_ptr<base::Circuit> circuit)
    : dependencies_(dependencies), options_(std::move(options)), circuit_(std::move(circuit)) {}

base::Result<std::vector<ServerTool>> ServerSlot::tools(const base::StopToken& stop,
                                                        base::Deadline deadline) {
  return use(stop, deadline, [&](Client& client) { return client.tools(stop, deadline); });
}

base::Result<ToolResult> ServerSlot::call(std::string_view tool, std::string_view arguments,
                                          const CallOptions& options) {
  return use(options.stop, options.deadline,
             [&](Client& client) { return client.call(tool, arguments, options); });
}

template <class Use>
auto ServerSlot::use(const base::StopToken& stop, base::Deadline deadline, Use use)
    -> decltype(use(std::declval<Client&>())) {
  for (int attempt = 0;; ++attempt) {
    CLEVER_ASSIGN(auto client, acquire(stop, deadline));
    auto result = use(*client);
    release(client, answered(result));
    // Nothing was done, so one retry in a new session is safe.
    if (!session_over(result) || attempt > 0) return result;
  }
}

base::Result<std::shared_ptr<Client>> ServerSlot::acquire(const base::StopToken& stop,
                                                          base::Deadline deadline) {
  const auto failures_seen = state_.read([](const State& state) { return state.failures; });
  auto step = state_.update_when(
      stop, deadline,
      [&](const State& state) {
        return state.state != ServerState::kStarting && state.open_calls < options_.calls_at_once;
      },
      [&](State& state) { return next_step(state, failures_seen); });
  if (!step.ok()) {
    return std::move(step).error().add_context("waiting for the MCP server " + options_.name);
  }
  step->dead.reset();
  if (step->error) return std::move(*step->error);
  if (step->client != nullptr) return std::move(step->client);
  return start(std::move(*step), stop, deadline);
}

ServerSlot::Step ServerSlot::next_step(State& state, std::uint64_t failures_seen) {
  Step step{.era = state.era};
  if (state.client != nullptr && !state.client->alive()) {
    if (state.permit) state.permit->fail();
    state.permit.reset();
    state.state = ServerState::kIdle;
    step.dead = std::move(state.client);
  }
  if (state.client != nullptr) {
    ++state.open_calls;
    step.client = state.client;
    return step;
  }
  if (state.failures != failures_seen) {
    step.error = state.last_error;
    return step;
  }
  step.permit = circuit_->try_acquire();
  if (!step.permit) {
    step.error = paused(state);
    return step;
  }
  state.state = ServerState::kStarting;
  ++state.starts;
  return step;
}

base::Error ServerSlot::paused(const State& state) const {
  std::string message = "the MCP server " + options_.name +
                        " failed several times in a row and is not started again yet";
  if (state.last_error) message += "; the last time: " + state.last_error->sentence();
  return base::unavailable(std::move(message));
}

base::Result<std::shared_ptr<Client>> ServerSlot::start(Step step, const base::StopToken& stop,
                                                        base::Deadline deadline) {
  auto connected = connect(step.era, stop, deadline);
  const bool own_fault = !stop.stop_requested() && !deadline.passed();
  if (!connected.ok() && own_fault) step.permit->fail();
  std::shared_ptr<Client> client;
  if (connected.ok()) client = std::move(*connected);
  state_.update([&](State& state) {
    state.state = client != nullptr ? ServerState::kReady : ServerState::kIdle;
    if (client != nullptr) {
      state.client = client;
      state.permit = std::move(step.permit);
      state.era = client->era();
      ++state.open_calls;
    } else if (own_fault) {
      ++state.failures;
      state.last_error = connected.error();
    }
  });
  if (client == nullptr) return std::move(connected).error();
  return client;
}

base::Result<std::unique_ptr<Client>> ServerSlot::connect(Era era, const base::StopToken& stop,
                                                          base::Deadline deadline) const {
  const auto limit = base::Deadline::after(dependencies_.clock, options_.start_timeout);
  auto client = connect_once(era, stop, deadline.earlier(limit));
  // Some older programs exit when their first message is not `initialize`.
  const bool perhaps_legacy = !client.ok() && era == Era::kUnknown && options_.command &&
                              client.error().code() == base::ErrorCode::kUnavailable;
  if (!perhaps_legacy || stop.stop_requested()) return client;
  auto again = connect_once(Era::kLegacy, stop, deadline.earlier(limit));
  return again.ok() ? std::move(again) : std::move(client);
}

base::Result<std::unique_ptr<Client>> ServerSlot::connect_once(Era era, const base::StopToken& stop,
                                                               base::Deadline deadline) const {
  auto transport = dependencies_.open(options_);
  if (!transport.ok()) {
    return std::move(transport).error().add_context("starting the MCP server " + options_.name);
  }
  ClientOptions options{.server_name = options_.name, .roots = options_.roots, .era = era};
  return Client::connect(std::move(*transport), dependencies_.clock, std::move(options), stop,
                         deadline);
}

void ServerSlot::release(const std::shared_ptr<Client>& client, bool answered) {
  // Destroyed outside the lock.
  std::shared_ptr<Client> dead;
  const auto remarks = client->alive() ? std::vector<std::string>{} : client->remarks();
  state_.update([&](State& state) {
    --state.open_calls;
    if (state.client != client) return;
    if (answered && state.permit) {
      state.permit->succeed();
      state.permit.reset();
    }
    if (client->alive()) return;
    if (state.permit) state.permit->fail();
    state.permit.reset();
    if (!remarks.empty()) state.last_error = base::unavailable(remarks.back());
    state.state = ServerState::kIdle;
    dead = std::move(state.client);
  });
}

ServerHealth ServerSlot::health() const {
  auto [health, client] = state_.read([&](const State& state) {
    ServerHealth seen{.name = options_.name,
                      .state = state.state,
                      .starts = state.starts,
                      .open_calls = state.open_calls};
    if (state.last_error) seen.last_error = state.last_error->sentence();
    return std::pair(std::move(seen), state.client);
  });
  health.circuit = circuit_->view().state;
  if (client != nullptr) health.facts = client->facts();
  return health;
}

}  // namespace clever::mcp::internal
