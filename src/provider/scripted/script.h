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

// Scripts: what a scripted model answers to what. The format is described in
// docs/reference/scripts.md. Values; safe to share.
namespace clever::provider {

struct ScriptedToolCall {
  std::string name{};
  /// JSON text of an object.
  std::string arguments = "{}";
  /// Empty: one is made, unique in the transcript.
  std::string id{};
  friend bool operator==(const ScriptedToolCall&, const ScriptedToolCall&) = default;
};

/// An answer that is none: as an API would send it, or as a connection would fail.
struct ScriptedError {
  FailureKind kind = FailureKind::kOverloaded;
  /// 0: the one that an API uses for the kind; there is none for `connection` and `timeout`.
  int status = 0;
  std::optional<std::chrono::milliseconds> retry_after{};
  /// For a person; empty: a sentence is made.
  std::string message{};
  /// Only for the test server: sent as it is in place of the API's own form of an error.
  std::string body{};
  friend bool operator==(const ScriptedError&, const ScriptedError&) = default;
};

/// What is wrong with the bytes of an otherwise good answer.
enum class ScriptedDamage : std::uint8_t {
  kNone,
  kJson,    // JSON that ends in the middle: malformed
  kSse,     // events that are none: malformed
  kHtml,    // a page in place of an answer: misconfigured
  kLength,  // fewer bytes than announced: cut
};

/// One answer, with how it is brought.
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
  /// Most bytes of text in one piece of the stream.
  std::size_t chunk = 32;
  std::chrono::milliseconds chunk_delay{0};
  /// The stream is lost after so many pieces.
  std::optional<std::size_t> cut{};
  ScriptedDamage damage = ScriptedDamage::kNone;
  friend bool operator==(const ScriptedReply&, const ScriptedReply&) = default;
};

/// What a request must be like; whatever is empty holds always.
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

/// What a rule does when its last reply was used.
enum class ScriptThen : std::uint8_t { kRepeat, kLoop, kError };

struct ScriptRule {
  /// As written, else "rule N".
  std::string name{};
  std::size_t line = 0;
  ScriptMatch match{};
  /// How often it may be used; absent: always.
  std::optional<std::size_t> times{};
  std::vector<ScriptedReply> replies{};
  ScriptThen then = ScriptThen::kRepeat;
};

struct Script {
  /// Where it came from, for messages.
  std::string file{};
  std::vector<ScriptRule> rules{};

  static constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
  static constexpr std::size_t kMostRules = 10'000;

  /// `invalid_argument` names file, line and key and says what would be right.
  [[nodiscard]] static base::Result<Script> parse(std::string_view text, std::string file);
  [[nodiscard]] static base::Result<Script> load(const std::filesystem::path& path);
};

/// Whether `text` is like `glob`, in which * stands for any characters and ? for one byte.
[[nodiscard]] bool matches_glob(std::string_view glob, std::string_view text);

}  // namespace clever::provider
