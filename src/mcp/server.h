#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "confine/command.h"

// Servers of the Model Context Protocol for the rest of the program: plain values.
namespace clever::mcp {

/// How to reach a server. A value.
struct ServerOptions {
  std::string name;
  /// A program that communicates over its standard streams, confined …
  std::optional<confine::Command> command{};
  /// … or a server over streamable HTTP.
  std::string url{};
  std::map<std::string, std::string> headers{};
  std::chrono::milliseconds start_timeout{std::chrono::seconds{30}};
  /// How long a call may send neither an answer nor progress.
  std::chrono::milliseconds call_timeout{std::chrono::minutes{5}};
  std::size_t largest_message = std::size_t{32} << 20U;
  /// The folders that a server gets when it asks for roots; may be empty.
  std::vector<std::filesystem::path> roots{};
  /// Concurrent calls of one server; further ones wait for their turn.
  std::size_t calls_at_once = 64;
};

/// A tool that a server offers. A value.
struct ServerTool {
  std::string name;
  std::string title{};
  std::string description{};
  std::string input_schema{};   // JSON text
  std::string output_schema{};  // JSON text or empty
  bool read_only = false;       // what the server declares: a hint, never trusted for safety
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
