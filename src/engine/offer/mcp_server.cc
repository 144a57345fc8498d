#include "engine/offer/mcp_server.h"

#include <algorithm>
#include <map>

namespace clever::engine {
namespace {

constexpr std::string_view kGroup = "mcp.";
constexpr std::chrono::milliseconds kLongestCallTimeout = std::chrono::hours{24};
constexpr std::size_t kLongestServerName = 32;

// Parses a program with its arguments, or a text for the shell.
std::vector<std::string> argv_of(const std::string& command, std::vector<std::string> arguments) {
  if (arguments.empty() && command.find_first_of(" \t\n") != std::string::npos) {
    return {"sh", "-c", command};
  }
  arguments.insert(arguments.begin(), command);
  return arguments;
}

/// Reads the settings of one server.
class ServerSettings {
 public:
  explicit ServerSettings(std::string name) : name_(std::move(name)) {}

  void add(const std::string& key, const config::Value& value) {
    values_.insert_or_assign(key, value);
  }

  base::Result<McpServer> read() const {
    McpServer server{.name = name_, .place = values_.begin()->second.origin};
    for (const auto& [key, value] : values_) {
      server.of_project = server.of_project || value.layer == config::Layer::kProject;
    }
    if (name_.size() > kLongestServerName) return wrong("", "has a name longer than 32 characters");
    CLEVER_TRY(read_way(server));
    CLEVER_ASSIGN(server.environment, pairs("env"));
    CLEVER_ASSIGN(server.headers, pairs("headers"));
    server.trust_hints = text("trust_hints") == "true";
    if (has("timeout")) server.timeout = config::duration_of(text("timeout"));
    if (has("call_timeout")) server.call_timeout = config::duration_of(text("call_timeout"));
    server.call_timeout = std::min(server.call_timeout, kLongestCallTimeout);
    if (server.call_timeout.count() <= 0) return wrong("call_timeout", "must be longer than 0");
    if (has("network")) server.network = network();
    return server;
  }

 private:
  [[nodiscard]] bool has(const std::string& key) const { return !text(key).empty(); }
  [[nodiscard]] std::string text(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::string() : found->second.text;
  }
  [[nodiscard]] confine::Network network() const {
    if (text("network") == "on") return confine::Network::kOn;
    return text("network") == "hosts" ? confine::Network::kHosts : confine::Network::kOff;
  }

  base::Result<void> read_way(McpServer& server) const {
    if (has("command") == has("url")) {
      return wrong("", has("url") ? "has both a command and a url; remove one of them"
                                  : "needs a command (a program) or a url (a server on the net)");
    }
    for (const std::string key : {"args", "env", "network"}) {
      if (has("url") && has(key)) return wrong(key, "belongs to a command, not to a url");
    }
    if (has("command") && has("headers")) return wrong("headers", "belongs to a url");
    server.url = text("url");
    if (server.url.empty()) {
      server.argv = argv_of(text("command"), config::list_of(text("args")));
      return {};
    }
    if (server.url.starts_with("https://") || server.url.starts_with("http://")) return {};
    return wrong("url", "must begin with https:// or http://");
  }

  base::Result<McpServer::Pairs> pairs(const std::string& key) const {
    McpServer::Pairs found;
    for (const std::string& item : config::list_of(text(key))) {
      const std::size_t equals = item.find('=');
      if (equals == std::string::npos || equals == 0) {
        return wrong(key, "has \"" + item + "\" in it; expected NAME=VALUE");
      }
      found.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    }
    return found;
  }

  [[nodiscard]] base::Error wrong(const std::string& key, std::string_view what) const {
    const auto found = values_.find(key);
    const std::string& place = (found == values_.end() ? *values_.begin() : *found).second.origin;
    return base::invalid_argument(place + ": mcp." + name_ + (key.empty() ? "" : "." + key) + " " +
                                  std::string(what));
  }

  const std::string name_;
  std::map<std::string, config::Value> values_;
};

void add_pairs(const McpServer::Pairs& pairs, std::vector<std::string>& words) {
  for (const auto& [name, value] : pairs) words.push_back(name + "=" + value);
}

// Replaces ${NAME} and ${NAME:-VALUE} in a text.
base::Result<std::string> filled(std::string_view text, const io::Environment& environment) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.starts_with("${") ? text.find('}') : std::string_view::npos;
    if (end == std::string_view::npos) {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string_view inside = text.substr(2, end - 2);
    const std::size_t dash = inside.find(":-");
    const std::string_view name = inside.substr(0, dash);
    auto value = environment.value(name);
    if (!value && dash == std::string_view::npos) {
      return base::invalid_argument("the environment variable " + std::string(name) +
                                    " is not set; set it, or write ${" + std::string(name) +
                                    ":-VALUE}");
    }
    result += value && !value->empty()         ? *value
              : dash == std::string_view::npos ? std::string()
                                               : std::string(inside.substr(dash + 2));
    text.remove_prefix(end + 1);
  }
  return result;
}

base::Result<void> fill(McpServer::Pairs& pairs, const io::Environment& environment) {
  for (auto& [name, value] : pairs) {
    CLEVER_ASSIGN(value, filled(value, environment));
  }
  return {};
}

base::Result<void> fill(McpServer& server, const io::Environment& environment) {
  for (std::string& word : server.argv) {
    CLEVER_ASSIGN(word, filled(word, environment));
  }
  CLEVER_ASSIGN(server.url, filled(server.url, environment));
  CLEVER_TRY(fill(server.environment, environment));
  return fill(server.headers, environment);
}

}  // namespace

base::Result<std::vector<McpServer>> mcp_servers_of(const config::Settings& settings) {
  std::map<std::string, ServerSettings> found;
  for (const auto& [key, value] : settings.list()) {
    if (!key.starts_with(kGroup) || key.contains('*')) continue;
    const std::size_t dot = key.find('.', kGroup.size());
    const std::string name = key.substr(kGroup.size(), dot - kGroup.size());
    found.try_emplace(name, name).first->second.add(key.substr(dot + 1), value);
  }
  std::vector<McpServer> servers;
  for (const auto& [name, written] : found) {
    CLEVER_ASSIGN(McpServer server, written.read());
    servers.push_back(std::move(server));
  }
  return servers;
}

NamedCommand named_command(const McpServer& server) {
  NamedCommand command{.kind = "mcp", .name = server.name, .place = server.place};
  if (!server.environment.empty()) command.argv.emplace_back("env");
  add_pairs(server.environment, command.argv);
  command.argv.insert(command.argv.end(), server.argv.begin(), server.argv.end());
  if (server.url.empty()) return command;
  command.argv.push_back(server.url);
  add_pairs(server.headers, command.argv);
  return command;
}

base::Result<McpServer> filled_in(McpServer server, const io::Environment& environment) {
  if (auto done = fill(server, environment); !done.ok()) {
    return std::move(done).error().add_context("the MCP server " + server.name + " (" +
                                               server.place + ")");
  }
  return server;
}

}  // namespace clever::engine
