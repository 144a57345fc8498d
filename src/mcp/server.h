#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "confine/command.h"

// Servers of the Model Context Protocol as the rest of the program sees them: plain values.
namespace clever::mcp {

/// How a server is reached. A value.
struct ServerOptions {
  std::string name;
  /// A program that speaks over its standard streams, confined …
  std::optional<confine::Command> command{};
  /// … or a server over streamable HTTP.
  std::string url{};
  std::map<std::string, std::string> headers{};
  std::chrono::milliseconds start_timeout{std::chrono::seconds{30}};
  /// How long a call may bring neither an answer nor progress.
  std::chrono::milliseconds call_timeout{std::chrono::minutes{5}};
  std::size_t largest_message = std::size_t{32} << 20U;
  /// The folders a server is told of when it asks; none: it is told that there are none.
  std::vector<std::filesystem::path> roots{};
  /// Calls of one server at once; more wait for their turn.
  std::size_t calls_at_once = 64;
};

/// A tool that a server offers. A value.
struct ServerTool {
  std::string name;
  std::string title{};
  std::string description{};
  std::string input_schema{};   // JSON text
  std::string output_schema{};  // JSON text or empty
  bool read_only = false;       // what the server says of itself: a hint, never trusted for safety
  bool idempotent = false;
  bool destructive = true;
  friend bool operator==(const ServerTool&, const ServerTool&) = default;
};

struct ToolResult {
  /// All text content, in order; other content is named ("[image image/png, 12 KiB]").
  std::string text;
  std::string structured{};  // JSON text or empty
  bool is_error = false;
};

struct ServerFacts {
  std::string protocol;  // "2025-06-18", as negotiated
  std::string name;
  std::string version;
  std::string instructions;
};

}  // namespace clever::mcp
