#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/agents/agent_program.h"
#include "model/budget_events.h"

namespace clever::engine {

/// What an external agent used, as far as it said so. A value.
struct AgentUsage {
  /// What a cache gave or took included.
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
  model::Microdollars cost = 0;
  /// It said what that cost; else only tokens are known.
  bool priced = false;
  friend bool operator==(const AgentUsage&, const AgentUsage&) = default;
};

/// What the output of an external agent said so far. A value.
struct AgentReport {
  /// Its session's id; empty: it did not say.
  std::string session{};
  std::string model{};
  AgentUsage usage{};
  std::int64_t tools = 0;
  std::int64_t failed_tools = 0;
  /// What the last tool that failed said.
  std::string tool_error{};
  /// Its last words: since its last tool.
  std::string said{};
  /// What it said went wrong last; empty once it went on.
  std::string error{};
  /// It said that it is through; `failed`: that it failed.
  bool ended = false;
  bool failed = false;
};

/// A tool that an agent begins to use. A value.
struct AgentTool {
  /// The agent's own; may be empty.
  std::string id{};
  /// One line for people: "Bash make test".
  std::string title{};
  std::string name{};
  /// Its arguments, a JSON object; empty: not known.
  std::string input{};
};

/// What came of a tool, if the agent says so. A value.
struct AgentToolEnd {
  std::string id{};
  bool failed = false;
  std::string output{};
  /// Its last description, if the agent described it after it began; else without an id.
  AgentTool tool{};
};

/// Who hears what an agent does while it runs. Each may be empty.
struct AgentListener {
  std::function<void(const std::string& text, bool reasoning)> on_text{};
  std::function<void(const AgentTool& tool)> on_tool{};
  std::function<void(const AgentToolEnd& end)> on_tool_end{};
};

/// Reads the standard output of an external agent. Whatever it writes, a person is shown words and
/// tools, never the JSON; what cannot be read is passed over. Used by one thread.
class AgentStream {
 public:
  AgentStream() = default;
  AgentStream(const AgentStream&) = delete;
  AgentStream& operator=(const AgentStream&) = delete;
  virtual ~AgentStream() = default;

  /// `listener` must outlive it.
  [[nodiscard]] static std::unique_ptr<AgentStream> make(AgentStreamFormat format,
                                                         const AgentListener& listener);

  /// `resource_exhausted` for a line of more than kLongestLine bytes.
  virtual base::Result<void> on_output(std::string_view bytes) = 0;
  /// The output ended.
  virtual void finish() = 0;
  [[nodiscard]] virtual const AgentReport& report() const = 0;

  static constexpr std::size_t kLongestLine = std::size_t{32} << 20U;
};

/// The words of an error that an agent passed on from an API: of {"error":{"message":…}} the
/// message, else the text itself, without control characters, at most 2,000 bytes.
[[nodiscard]] std::string words_of_error(std::string_view text);

}  // namespace clever::engine
