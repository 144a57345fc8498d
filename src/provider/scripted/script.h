#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "provider/answer.h"
#include "provider/failure.h"
#include "provider/scripted/pattern.h"

// Scripts: the answers of a scripted model. docs/reference/scripts.md describes the format. Values;
// safe to share.
namespace clever::provider {

struct ScriptedToolCall {
  std::string name{};
  /// JSON text of an object.
  std::string arguments = "{}";
  /// Empty: a generated one, unique in the transcript.
  std::string id{};
  friend bool operator==(const ScriptedToolCall&, const ScriptedToolCall&) = default;
};

/// An error in place of an answer: as an API would send it, or as a connection would fail.
struct ScriptedError {
  FailureKind kind = FailureKind::kOverloaded;
  /// 0: the kind's usual status; `connection` and `timeout` have none.
  int status = 0;
  std::optional<std::chrono::milliseconds> retry_after{};
  /// For a person; empty: generated.
  std::string message{};
  /// Only for the test server: sent unchanged in place of the API's own form of an error.
  std::string body{};
  friend bool operator==(const ScriptedError&, const ScriptedError&) = default;
};

/// Damage to the bytes of an otherwise good answer.
enum class ScriptedDamage : std::uint8_t {
  kNone,
  kJson,    // JSON that ends in the middle: malformed
  kSse,     // invalid events: malformed
  kHtml,    // a page in place of an answer: misconfigured
  kLength,  // fewer bytes than announced: cut
};

/// One answer, and how it is delivered.
struct ScriptedReply {
  std::string reasoning{};
  std::string text{};
  std::string refusal{};
  std::vector<ScriptedToolCall> tool_calls{};
  StopReason stop = StopReason::kEnd;
  /// Absent: counted from the bytes.
  std::optional<Usage> usage{};
  std::optional<ScriptedError> error{};

  /// Before the first byte.
  std::chrono::milliseconds delay{0};
  /// The most bytes of text in one piece of the stream.
  std::size_t chunk = 32;
  std::chrono::milliseconds chunk_delay{0};
  /// The stream is lost after this many pieces.
  std::optional<std::size_t> cut{};
  ScriptedDamage damage = ScriptedDamage::kNone;
  friend bool operator==(const ScriptedReply&, const ScriptedReply&) = default;
};

/// Conditions on a request; empty ones always hold.
struct ScriptMatch {
  std::string model{};  // with * and ?
  std::vector<std::string> user{};
  std::optional<Pattern> user_regex{};
  std::vector<std::string> any{};
  std::optional<Pattern> any_regex{};
  std::vector<std::string> system{};
  std::optional<Pattern> system_regex{};
  std::vector<std::string> tool{};
  std::string result{};
  std::vector<std::string> result_text{};
  std::optional<Pattern> result_regex{};
  std::optional<std::size_t> turn{};
};

/// What a rule does after its last reply.
enum class ScriptThen : std::uint8_t { kRepeat, kLoop, kError };

struct ScriptRule {
  /// As written, else "rule N".
  std::string name{};
  std::size_t line = 0;
  ScriptMatch match{};
  /// How often it may be used; absent: without limit.
  std::optional<std::size_t> times{};
  std::vector<ScriptedReply> replies{};
  ScriptThen then = ScriptThen::kRepeat;
};

struct Script {
  /// Its origin, for messages.
  std::string file{};
  std::vector<ScriptRule> rules{};

  static constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
  static constexpr std::size_t kMostRules = 10'000;

  /// `invalid_argument` names file, line and key and says what would be right.
  [[nodiscard]] static base::Result<Script> parse(std::string_view text, std::string file);
  [[nodiscard]] static base::Result<Script> load(const std::filesystem::path& path);
};

}  // namespace clever::provider
