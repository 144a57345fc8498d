#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/transport.h"

namespace clever::mcp::internal {

using Json = nlohmann::json;

/// Codes of JSON-RPC and of the protocol.
inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kHeaderMismatch = -32020;
inline constexpr std::int64_t kMissingCapability = -32021;
inline constexpr std::int64_t kUnsupportedProtocol = -32022;

/// The error of a refusal.
struct RpcError {
  std::int64_t code = 0;
  std::string message{};
  Json data{};
};

/// One JSON-RPC message of a server. A value.
struct Message {
  enum class Kind : std::uint8_t { kRequest, kNotification, kResult, kError };
  Kind kind = Kind::kNotification;
  /// A string or an integer; null for notifications, and for errors without a request.
  Json id{};
  std::string method{};
  /// For a request or notification: an object. For a result: an object.
  Json body{};
  RpcError error{};

  /// The request of ours that it answers, if its id is one of ours.
  [[nodiscard]] std::optional<RequestNumber> number() const;
};

inline constexpr std::size_t kDeepestMessage = 200;

/// `corruption` says what is wrong: not JSON, nested too deeply, not JSON-RPC. Never throws.
[[nodiscard]] base::Result<Message> read_message(std::string_view text);

/// Parses a JSON object of ours: `invalid_argument` if it is not one.
[[nodiscard]] base::Result<Json> read_object(std::string_view text, std::string_view what);

// Texts of ours; without line ends.
[[nodiscard]] std::string request_text(RequestNumber number, std::string_view method,
                                       const Json& params);
[[nodiscard]] std::string notification_text(std::string_view method, const Json& params);
[[nodiscard]] std::string result_text(const Json& id, const Json& result);
[[nodiscard]] std::string error_text(const Json& id, std::int64_t code, std::string_view message);

// Members of what a server sent, which may be anything.

/// The member, or null.
[[nodiscard]] const Json& member(const Json& object, std::string_view key);
/// The text, or nothing for other kinds.
[[nodiscard]] std::string text_of(const Json& value);
[[nodiscard]] bool truth_of(const Json& value, bool otherwise);
/// For a person: one line of at most `limit` bytes.
[[nodiscard]] std::string shown(std::string_view text, std::size_t limit);

}  // namespace clever::mcp::internal
