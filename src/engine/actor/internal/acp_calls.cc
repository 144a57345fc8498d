#include "engine/actor/internal/acp_calls.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/actor/internal/acp_json.h"

namespace clever::engine::internal {
namespace {

using Json = nlohmann::json;

// The names under which agents pass a tool's files.
constexpr std::array kPathKeys{"path",     "file",     "file_path", "filePath",   "filepath",
                               "abs_path", "absPath",  "from",      "to",         "old_path",
                               "new_path", "notebook", "paths",     "source",     "destination",
                               "files",    "filename", "dir_path",  "target_file"};

// Returns the path relative to the folder; nothing if it lies outside.
std::optional<std::string> below(const std::string& folder, const std::string& text) {
  if (text.empty() || text.contains('\0')) return std::nullopt;
  const std::filesystem::path wanted(text);
  const std::filesystem::path root(folder);
  const auto whole = (wanted.is_absolute() ? wanted : root / wanted).lexically_normal();
  std::string path = whole.lexically_relative(root).string();
  const bool outside = path.empty() || path == ".." || path.starts_with("../");
  if (outside) return std::nullopt;
  return path;
}

std::string command_in(const Json& input) {
  const Json& command = member(input, "command");
  if (command.is_string()) return command.get<std::string>();
  std::string words;
  if (!command.is_array()) return words;
  for (const Json& word : command) {
    if (word.is_string()) words += (words.empty() ? "" : " ") + word.get<std::string>();
  }
  return words;
}

// goose names a tool and its extension, but says the kind "other".
struct GooseTool {
  std::string extension{};
  std::string name{};
};

GooseTool goose_tool(const Json& call) {
  const Json& tool = member(member(member(call, "_meta"), "goose"), "toolCall");
  return {member_text(tool, "extensionName"), member_text(tool, "toolName")};
}

// Of the tools that it brings itself; the others are those of MCP servers.
std::string kind_of(const GooseTool& tool) {
  if (tool.extension != "developer") return {};
  if (tool.name == "shell") return "execute";
  if (tool.name == "write" || tool.name == "edit" || tool.name == "text_editor") return "edit";
  if (tool.name == "tree" || tool.name == "analyze") return "search";
  return {};
}

// A tool of an MCP server keeps its name: "mcp__SERVER__TOOL".
std::string mcp_name(const Json& call) {
  const GooseTool goose = goose_tool(call);
  if (!goose.extension.empty() && goose.extension != "developer") {
    return shown_text("mcp__" + goose.extension + "__" + goose.name);
  }
  const Json& meta = member(call, "_meta");
  for (const std::string& name :
       {member_text(member(meta, "claudeCode"), "toolName"), member_text(call, "title")}) {
    const bool is_name = name.starts_with("mcp__") && !name.contains(' ');
    if (is_name) return shown_text(name);
  }
  return {};
}

void add_kind(const std::string& kind, AcpAsk& ask) {
  if (kind.empty() || std::ranges::find(ask.kinds, kind) != ask.kinds.end()) return;
  // A kind may change from "other" to a known one, never back.
  if (kind == "other" && !ask.kinds.empty()) return;
  std::erase(ask.kinds, "other");
  ask.kinds.push_back(shown_text(kind));
}

}  // namespace

void AcpCalls::add_path(const Json& path, AcpAsk& ask) const {
  if (!path.is_string()) return;
  const std::string text = path.get<std::string>();
  auto inside = below(folder_, text);
  if (!inside) {
    if (ask.outside.empty()) ask.outside = text.empty() ? "an empty path" : shown_text(text);
    return;
  }
  if (std::ranges::find(ask.paths, *inside) != ask.paths.end()) return;
  if (ask.paths.size() >= kMostPaths) {
    ask.is_too_large = true;
  } else {
    ask.paths.push_back(std::move(*inside));
  }
}

void AcpCalls::add_input(const Json& input, AcpAsk& ask) const {
  if (!input.is_object()) return;
  std::string text = dumped(input);
  if (text.size() > kLongestInput) {
    // A file's content may be long; a text that rules compare may not.
    ask.is_long = true;
    text.clear();
  }
  ask.input = std::move(text);
  if (std::string command = command_in(input); !command.empty()) {
    if (command.size() > kLongestInput) ask.is_too_large = true;
    command.resize(std::min(command.size(), kLongestInput));
    ask.commands.push_back(std::move(command));
    if (ask.commands.size() > kMostPaths) ask.is_too_large = true;
    ask.commands.resize(std::min(ask.commands.size(), kMostPaths));
  }
  for (const char* key : kPathKeys) {
    const Json& value = member(input, key);
    add_path(value, ask);
    if (!value.is_array()) continue;
    for (const Json& path : value) add_path(path, ask);
  }
}

void AcpCalls::add(const Json& call, AcpAsk& ask) const {
  add_kind(member_text(call, "kind"), ask);
  add_kind(kind_of(goose_tool(call)), ask);
  if (std::string title = shown_text(member_text(call, "title")); !title.empty()) {
    ask.title = std::move(title);
  }
  if (std::string tool = mcp_name(call); !tool.empty()) ask.tool = std::move(tool);
  const Json& locations = member(call, "locations");
  if (locations.is_array()) {
    for (const Json& location : locations) add_path(member(location, "path"), ask);
  }
  const Json& content = member(call, "content");
  if (content.is_array()) {
    for (const Json& part : content) {
      if (member_text(part, "type") == "diff") add_path(member(part, "path"), ask);
    }
  }
  add_input(member(call, "rawInput"), ask);
}

void AcpCalls::take(const Json& call) {
  const std::string id = member_text(call, "toolCallId");
  if (id.empty() || id.size() > 500) return;
  const std::string status = member_text(call, "status");
  if (status == "completed" || status == "failed") {
    calls_.erase(id);
    return;
  }
  auto found = calls_.find(id);
  if (found == calls_.end()) {
    if (calls_.size() >= kMost) return;
    found = calls_.try_emplace(id).first;
  }
  add(call, found->second);
}

AcpAsk AcpCalls::asked(const Json& call) const {
  const auto found = calls_.find(member_text(call, "toolCallId"));
  AcpAsk ask = found == calls_.end() ? AcpAsk{} : found->second;
  add(call, ask);
  return ask;
}

}  // namespace clever::engine::internal
