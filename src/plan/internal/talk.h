#pragma once
#include <cstdint>
#include <string>

#include "model/message.h"
#include "plan/command.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"

// Turns with the model. Each function leaves the plan with an open effect, or waiting, or errored.
namespace clever::plan {

/// Asks the next question: adds waiting prompts to the conversation, drops old messages if it is
/// too long, and reserves money; or waits for money.
void ask(Draft& draft);

/// Adds waiting prompts to the conversation.
void take_prompts(Draft& draft);

/// Replaces older messages by a summary if there are too many. Only between turns.
void compact(Draft& draft);
/// The same after a provider found the conversation too long: drops at least half.
void compact_overflow(Draft& draft);

/// Reminds the model what its answer should have been, and asks again; misbehaviour after too many
/// reminders.
void remind(Draft& draft, const std::string& text);

/// Whether asking again in this conversation would fail in the same way: a limit was reached, or
/// the model spoke last. Then it must start over.
[[nodiscard]] bool is_exhausted(const State& state);

/// Ends the conversation with an error: the model misbehaved.
void misbehave(Draft& draft, const std::string& message);

/// Results for all calls of an answer that could not run.
[[nodiscard]] model::Message failed_results(const ToolsData& tools, const std::string& why);
/// Exactly one result per call, in the order of the calls: missing ones become failures, others are
/// dropped.
[[nodiscard]] model::Message complete_results(const ToolsData& tools,
                                              const model::Message& results);

[[nodiscard]] ToolsData calls_of(const Answered& answer);

}  // namespace clever::plan
