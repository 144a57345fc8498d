#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "confine/command.h"
#include "engine/trust.h"
#include "io/environment.h"

// Servers of the Model Context Protocol as people name them, in the settings or in `.mcp.json`.
// Values and pure functions.
namespace clever::engine {

/// One server as it is written: `${NAME}` and `${NAME:-VALUE}` are not filled in yet.
///
///   [mcp.files]                            # a program …
///   command = "npx"                        # without args a text for sh
///   args = ["-y", "@me/files"]
///   env = ["LEVEL=debug"]
///   trust_hints = true
///
///   [mcp.tickets]                          # … or a server on the net
///   url = "https://example.org/mcp"
///   headers = ["Authorization=Bearer ${TICKETS_TOKEN}"]
struct McpServer {
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  std::string name{};
  std::vector<std::string> argv{};
  std::string url{};
  Pairs environment{};
  Pairs headers{};
  /// Whether its tools are what they say of themselves: read-only, idempotent.
  bool trust_hints = false;
  /// None: as commands of plans (sandbox.network).
  std::optional<confine::Network> network{};
  /// How long it may take to start and say what it offers.
  std::chrono::milliseconds timeout{std::chrono::seconds{30}};
  /// How long a call may bring neither an answer nor progress.
  std::chrono::milliseconds call_timeout{std::chrono::minutes{5}};
  /// "config.toml:12"
  std::string place{};
  /// A file of the project has a say in it: only if it is trusted.
  bool of_project = false;

  friend bool operator==(const McpServer&, const McpServer&) = default;
};

/// The mcp.* settings, by name. `invalid_argument` names the key, where it is set, and the cure.
[[nodiscard]] base::Result<std::vector<McpServer>> mcp_servers_of(const config::Settings& settings);

/// What other programs read from a project's `.mcp.json`, by name; keys of theirs that mean nothing
/// to us are left alone. `invalid_argument` names the file, the place in it, and the cure.
[[nodiscard]] base::Result<std::vector<McpServer>> parse_mcp_json(std::string_view text,
                                                                  const std::string& file);

/// As a person is shown it before it is trusted: with the names that it reads of the environment.
[[nodiscard]] NamedCommand named_command(const McpServer& server);

/// With the environment filled in. `invalid_argument` names a variable that is not set.
[[nodiscard]] base::Result<McpServer> filled_in(McpServer server,
                                                const io::Environment& environment);

}  // namespace clever::engine
