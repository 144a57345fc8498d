#pragma once
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "provider/request.h"
#include "provider/scripted/script_player.h"
#include "support/http_server.h"

// The server's side of a model API: reads requests as strictly as the real one, and writes answers
// and errors in its form. Stateless.
namespace clever::test::internal {

using nlohmann::json;

/// A request that the API accepts, in our words.
struct ServedRequest {
  std::string model{};
  provider::ModelRequest request{};
  /// OpenAI's stream_options.include_usage.
  bool include_usage = false;
};

/// Some bytes of a streamed answer.
struct Frame {
  std::string bytes{};
  /// Whether it begins a piece of the answer, as deltas_of() counts them.
  bool piece = false;
};

/// What is left of a limit.
struct LimitState {
  std::int64_t limit = 0;
  std::int64_t remaining = 0;
  std::chrono::milliseconds reset{0};
};
struct LimitStates {
  std::optional<LimitState> requests{};
  std::optional<LimitState> tokens{};
  /// When they were looked at, for headers that say a time of day.
  std::chrono::system_clock::time_point now{};
};

class ServedWire {
 public:
  virtual ~ServedWire() = default;

  /// `invalid_argument` with the message that the API would send with status 400.
  [[nodiscard]] virtual base::Result<ServedRequest> read(const SeenRequest& seen,
                                                         const json& body) const = 0;
  [[nodiscard]] virtual json whole(const provider::ScriptedReply& reply,
                                   const ServedRequest& request) const = 0;
  [[nodiscard]] virtual std::vector<Frame> frames(const provider::ScriptedReply& reply,
                                                  const ServedRequest& request) const = 0;
  [[nodiscard]] virtual std::string_view stream_type() const { return "text/event-stream"; }
  /// The status where the script does not say one.
  [[nodiscard]] virtual int status(provider::FailureKind kind) const;
  [[nodiscard]] virtual json error(provider::FailureKind kind, int status,
                                   const std::string& message,
                                   std::optional<std::chrono::milliseconds> retry_after) const = 0;
  [[nodiscard]] virtual std::vector<io::HttpHeader> limit_headers(const LimitStates& limits) const;
  [[nodiscard]] virtual std::vector<io::HttpHeader> retry_headers(
      std::chrono::milliseconds retry_after) const;
};

/// Any request, as far as a script looks at it; total. For clients that send what we do not know.
[[nodiscard]] ServedRequest read_loosely(const SeenRequest& seen, const json& body);

[[nodiscard]] const ServedWire& openai_chat_wire();
[[nodiscard]] const ServedWire& openai_responses_wire();
[[nodiscard]] const ServedWire& anthropic_wire();
[[nodiscard]] const ServedWire& gemini_wire();
[[nodiscard]] const ServedWire& ollama_wire();

// What several wires need.

[[nodiscard]] inline base::Result<void> need(bool holds, std::string message) {
  if (holds) return {};
  return base::invalid_argument(std::move(message));
}
/// "data: {…}\n\n", with "event: NAME\n" before it if there is a name.
[[nodiscard]] std::string sse(const json& data, std::string_view event = "");
[[nodiscard]] base::Result<std::string> decode_base64(std::string_view text);
/// The bytes of "data:image/png;base64,…".
[[nodiscard]] base::Result<model::Image> decode_data_url(std::string_view url);
[[nodiscard]] bool is_tool_name(std::string_view name, std::size_t most);
/// The texts of a reply in pieces, as deltas_of() makes them.
[[nodiscard]] std::vector<std::string> pieces(std::string_view text, std::size_t size);
/// The keys of `value` are all in `known`; else the message of `unknown(key)`.
[[nodiscard]] base::Result<void> only_keys(const json& value,
                                           const std::vector<std::string_view>& known,
                                           std::string_view before, std::string_view after);
/// An optional text member.
[[nodiscard]] std::string text_or(const json& value, const char* key, std::string fallback);

}  // namespace clever::test::internal
