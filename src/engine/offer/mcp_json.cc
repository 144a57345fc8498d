#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "engine/offer/mcp_server.h"

namespace clever::engine {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestMcpJson = std::size_t{1} << 20U;
constexpr std::size_t kMostServers = 100;
constexpr std::size_t kDeepestMcpJson = 64;

std::string shown_name(std::string_view text) {
  constexpr std::size_t kShown = 80;
  return std::string(base::utf8_prefix(base::to_valid_utf8(text), kShown));
}

// The characters that tool names may have: letters, digits, _ and -.
bool is_server_name(std::string_view name) {
  constexpr std::size_t kLongest = 32;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && name.size() <= kLongest && std::ranges::all_of(name, fits);
}

class McpJson {
 public:
  explicit McpJson(const std::string& file) : file_(file) {}

  base::Result<std::vector<McpServer>> read(std::string_view text) const {
    if (text.size() > kLargestMcpJson) return wrong("", "is larger than 1 MiB");
    CLEVER_ASSIGN(const json document, parse(text));
    const auto list = document.is_object() ? document.find("mcpServers") : document.end();
    if (!document.is_object() || list == document.end() || !list->is_object()) {
      return wrong("", R"(must hold {"mcpServers": {NAME: {"command": …}}})");
    }
    if (list->size() > kMostServers) return wrong("mcpServers", "has more than 100 servers");
    std::vector<McpServer> servers;
    for (const auto& [name, value] : list->items()) {
      CLEVER_ASSIGN(McpServer server, read_server(name, value));
      servers.push_back(std::move(server));
    }
    return servers;
  }

 private:
  base::Result<json> parse(std::string_view text) const {
    const auto too_deep = [](int depth, json::parse_event_t, json&) {
      return static_cast<std::size_t>(depth) <= kDeepestMcpJson;
    };
    try {
      return json::parse(text, too_deep);
    } catch (const json::parse_error& error) {
      const std::size_t at = std::min(error.byte, text.size());
      const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
      return base::invalid_argument(file_ + ":" + std::to_string(line) + ": not valid JSON");
    }
  }

  base::Result<McpServer> read_server(const std::string& name, const json& value) const {
    const std::string place = "mcpServers." + shown_name(name);
    if (!is_server_name(name)) {
      return wrong(place, "must have a name of 1 to 32 letters, digits, _ and -");
    }
    if (!value.is_object()) return wrong(place, "must be an object with a command or a url");
    McpServer server{.name = name, .place = file_, .of_project = true};
    CLEVER_ASSIGN(const std::string command, text_of(value, "command", place));
    CLEVER_ASSIGN(server.url, text_of(value, "url", place));
    CLEVER_ASSIGN(const std::string type, text_of(value, "type", place));
    if (type == "sse") {
      return wrong(place + ".type", "is sse, which is not spoken here; use \"http\"");
    }
    if (command.empty() == server.url.empty()) {
      return wrong(place, "needs either a command or a url");
    }
    CLEVER_ASSIGN(server.headers, pairs_of(value, "headers", place));
    CLEVER_ASSIGN(server.environment, pairs_of(value, "env", place));
    CLEVER_ASSIGN(server.argv, arguments_of(value, place));
    if (!command.empty()) server.argv.insert(server.argv.begin(), command);
    if (command.empty()) server.argv.clear();
    return check_url(std::move(server), place);
  }

  base::Result<McpServer> check_url(McpServer server, const std::string& place) const {
    const bool is_web = server.url.starts_with("https://") || server.url.starts_with("http://") ||
                        server.url.starts_with("${");
    if (server.url.empty() || is_web) return server;
    return wrong(place + ".url", "must begin with https:// or http://");
  }

  base::Result<std::string> text_of(const json& value, const char* key,
                                    const std::string& place) const {
    const auto found = value.find(key);
    if (found == value.end() || found->is_null()) return std::string();
    if (!found->is_string()) return wrong(place + "." + key, "must be a text");
    auto text = found->get<std::string>();
    if (text.contains('\0')) return wrong(place + "." + key, "must be a text without zero bytes");
    return text;
  }

  base::Result<std::vector<std::string>> arguments_of(const json& value,
                                                      const std::string& place) const {
    std::vector<std::string> arguments;
    const auto found = value.find("args");
    if (found == value.end() || found->is_null()) return arguments;
    const bool fits = found->is_array() && std::ranges::all_of(*found, [](const json& item) {
                        return item.is_string() && !item.get<std::string>().contains('\0');
                      });
    if (!fits) return wrong(place + ".args", "must be a list of texts");
    for (const json& item : *found) arguments.push_back(item.get<std::string>());
    return arguments;
  }

  base::Result<McpServer::Pairs> pairs_of(const json& value, const char* key,
                                          const std::string& place) const {
    McpServer::Pairs pairs;
    const auto found = value.find(key);
    if (found == value.end() || found->is_null()) return pairs;
    if (!found->is_object()) return wrong(place + "." + key, "must be an object of texts");
    for (const auto& [name, item] : found->items()) {
      const bool fits = item.is_string() && !name.empty() && !name.contains('=') &&
                        !name.contains('\0') && !item.get<std::string>().contains('\0');
      if (!fits) return wrong(place + "." + key + "." + shown_name(name), "must be NAME: \"TEXT\"");
      pairs.emplace_back(name, item.get<std::string>());
    }
    return pairs;
  }

  [[nodiscard]] base::Error wrong(const std::string& place, std::string_view what) const {
    return base::invalid_argument(file_ + ": " + place + (place.empty() ? "it " : " ") +
                                  std::string(what));
  }

  const std::string& file_;
};

}  // namespace

base::Result<std::vector<McpServer>> parse_mcp_json(std::string_view text,
                                                    const std::string& file) {
  return McpJson(file).read(text);
}

}  // namespace clever::engine
