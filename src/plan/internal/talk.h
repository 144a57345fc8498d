#pragma once
#include <cstdint>
#include <string>

#include "model/message.h"
#include "plan/command.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"

// Turns with the model. All leave the plan with an open effect, or waiting, or errored.
namespace clever::plan {

/// The next question: prompts that came meanwhile join the conversation, old messages leave it if
/// it grew too long, money is put aside; or the plan waits for money.
void ask(Draft& draft);

/// What people said meanwhile joins the conversation.
void take_prompts(Draft& draft);

/// Older messages are cut where there are too many, and a summary takes their place. Only between
/// turns.
void compact(Draft& draft);
/// The same after a provider has found the conversation too long: half of it goes at least.
void compact_overflow(Draft& draft);

/// A word about what the answer should have been, and the next question; misbehaviour if that was
/// said too often.
void remind(Draft& draft, const std::string& text);

/// Whether asking once more in this conversation would only lead to the same end: a bound was
/// reached, or the last word is the model's. It has to begin anew then.
[[nodiscard]] bool is_exhausted(const State& state);

/// The conversation ends here with an error: the model did what it must not.
void misbehave(Draft& draft, const std::string& message);

/// Results for all calls of the answer that could not be run.
[[nodiscard]] model::Message failed_results(const ToolsData& tools, const std::string& why);
/// Each call exactly one result, in the order of the calls: missing ones are made up as failed,
/// others dropped.
[[nodiscard]] model::Message complete_results(const ToolsData& tools,
                                              const model::Message& results);

[[nodiscard]] ToolsData calls_of(const Answered& answer);

}  // namespace clever::plan
