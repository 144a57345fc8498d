#pragma once
// What happened in a plan, in the order of its journal: words, thinking, tool calls, errors.
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/document.h"
#include "model/event.h"
#include "model/message.h"
#include "model/work_events.h"
#include "service/view.h"

namespace clever::service {

/// One entry of the log. A value.
struct LogEntry {
  enum class Kind : std::uint8_t {
    kPrompt,      // a person's words
    kText,        // the model's
    kThinking,    // where the provider shows it
    kCall,        // of a tool, with its answer
    kAnswered,    // what an answer of the model cost
    kStep,        // a step of the strategy moved on
    kError,       // and what was decided about it
    kValidation,  // a command that must pass
    kRestored,    // a rollback
    kApply,       // it landed, or not, or was undone
    kNote,        // news of an external agent: it is silent, its login was renewed
  };
  model::PlanId plan{};
  std::int64_t sequence = 0;
  /// In the log of its plan.
  std::size_t place = 0;
  model::Timestamp time{};
  Kind kind = Kind::kText;
  /// Words; of a call its arguments as the model wrote them; of an answer the model.
  std::string text{};
  bool failed = false;

  // Of a call, and of a validation that ran as a command.
  std::string tool{};
  std::string output{};
  /// False while it runs, and of a call that the plan itself took.
  bool answered = false;
  std::optional<std::int64_t> exit_code{};
  std::chrono::milliseconds took{};

  // Of an answer.
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cost = 0;
};
/// "prompt", "text", "thinking", "call", …
[[nodiscard]] std::string_view to_string(LogEntry::Kind kind) noexcept;

/// A message by the hash of its body; none if it was removed meanwhile.
using LogMessageOf = std::function<std::optional<model::Message>(const base::Sha256Digest& body)>;

/// The entries of one plan's journal. `invalid_argument` for an event that cannot be read.
[[nodiscard]] base::Result<std::vector<LogEntry>> plan_log(
    const std::vector<model::StoredEvent>& events, const LogMessageOf& message);

/// What the plan's model said last; empty: nothing.
[[nodiscard]] std::string last_answer(const std::vector<LogEntry>& entries,
                                      const model::PlanId& plan);
[[nodiscard]] model::Document log_document(const LogEntry& entry);
/// `full`: nothing is folded. `label` names the plan, of one among several.
[[nodiscard]] View log_view(const LogEntry& entry, bool full, const std::string& label = {});

/// "edit_file path="src/a.cc" …": a call with its arguments, in one line.
[[nodiscard]] std::string call_words(const model::ToolCall& call);
/// The sentence that an external agent is silent, if the event records it; else empty.
[[nodiscard]] std::string agent_silence(const model::StoredEvent& event);
/// The same for any news of an external agent: it is silent, or its login was renewed.
[[nodiscard]] std::string agent_news(const model::StoredEvent& event);

/// "run_command make test: exit code 7 (1.2 s)": a call in one line.
[[nodiscard]] std::string tool_call_text(const model::ToolNote& call);

}  // namespace clever::service
