#include "mcp/servers.h"

#include <utility>

#include "mcp/http_transport.h"
#include "mcp/internal/server_slot.h"
#include "mcp/stdio_transport.h"

namespace clever::mcp {
namespace {

base::Result<void> check(const ServerOptions& options) {
  if (options.name.empty()) return base::invalid_argument("an MCP server needs a name");
  if (options.command.has_value() != options.url.empty()) {
    return base::invalid_argument("the MCP server " + options.name +
                                  " needs either a command or a url");
  }
  if (options.calls_at_once == 0) {
    return base::invalid_argument("the MCP server " + options.name +
                                  " must allow at least one call at a time");
  }
  return {};
}

}  // namespace

std::string_view to_string(ServerState state) noexcept {
  switch (state) {
    case ServerState::kIdle:
      return "idle";
    case ServerState::kStarting:
      return "starting";
    case ServerState::kReady:
      return "ready";
  }
  return "unknown";
}

OpenTransport open_transport(base::Clock& clock, io::Http& http, confine::Launcher launcher) {
  return [&clock, &http, launcher = std::move(launcher)](
             const ServerOptions& options) -> base::Result<std::unique_ptr<Transport>> {
    if (!options.command) {
      return make_http_transport(http, {.server_name = options.name,
                                        .url = options.url,
                                        .headers = options.headers,
                                        .largest_message = options.largest_message});
    }
    CLEVER_ASSIGN(auto process, confine::ConfinedProcess::start(launcher, *options.command));
    return make_stdio_transport(
        std::move(process), clock,
        {.server_name = options.name, .largest_message = options.largest_message});
  };
}

base::Result<std::unique_ptr<Servers>> Servers::create(Dependencies dependencies,
                                                       std::vector<ServerOptions> options) {
  std::map<std::string, int, std::less<>> seen;
  for (const ServerOptions& server : options) {
    CLEVER_TRY(check(server));
    if (++seen[server.name] > 1) {
      return base::invalid_argument("two MCP servers have the name " + server.name);
    }
  }
  return std::unique_ptr<Servers>(new Servers(std::move(dependencies), std::move(options)));
}

Servers::Servers(Dependencies dependencies, std::vector<ServerOptions> options)
    : dependencies_(std::move(dependencies)),
      circuits_(dependencies_.clock, dependencies_.random, dependencies_.circuit) {
  for (ServerOptions& server : options) {
    auto circuit = circuits_.circuit(server.name);
    std::string name = server.name;
    slots_.emplace(std::move(name), std::make_unique<internal::ServerSlot>(
                                        dependencies_, std::move(server), std::move(circuit)));
  }
}

Servers::~Servers() = default;

std::vector<std::string> Servers::names() const {
  std::vector<std::string> names;
  for (const auto& [name, slot] : slots_) names.push_back(name);
  return names;
}

base::Result<internal::ServerSlot*> Servers::find(std::string_view server) const {
  const auto found = slots_.find(server);
  if (found != slots_.end()) return found->second.get();
  std::string known;
  for (const auto& [name, slot] : slots_) known += (known.empty() ? "" : ", ") + name;
  return base::not_found("there is no MCP server " + std::string(server) +
                         "; there are: " + (known.empty() ? "none" : known));
}

base::Result<std::vector<ServerTool>> Servers::tools(std::string_view server,
                                                     const base::StopToken& stop,
                                                     base::Deadline deadline) {
  CLEVER_ASSIGN(internal::ServerSlot * slot, find(server));
  return slot->tools(stop, deadline);
}

base::Result<ToolResult> Servers::call(std::string_view server, std::string_view tool,
                                       std::string_view arguments, const CallOptions& options) {
  CLEVER_ASSIGN(internal::ServerSlot * slot, find(server));
  return slot->call(tool, arguments, options);
}

std::vector<ServerHealth> Servers::health() const {
  std::vector<ServerHealth> all;
  for (const auto& [name, slot] : slots_) all.push_back(slot->health());
  return all;
}

}  // namespace clever::mcp
