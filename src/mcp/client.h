#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"

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
  std::size_t largest_message = std::size_t{32} << 20U;
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
};

struct ToolResult {
  std::string
      text;  // all text content, in order; other content is named ("[image image/png, 12 KiB]")
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
