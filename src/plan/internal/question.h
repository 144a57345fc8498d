#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "plan/command.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"

// A model's questions to the person: by its tool, or as the last words of a step. The plan waits
// for the answer, which a Prompt brings; Resume continues without one.
namespace clever::plan {

inline constexpr std::string_view kAskTool = "ask";

/// Whether the answer, which is part of the conversation, calls kAskTool; if so, the consequences
/// were decided.
[[nodiscard]] bool asks_by_tool(Draft& draft, const Answered& answer, const ToolsData& tools);

/// Whether a step ends with a question instead of work: nothing was changed, and the last sentence
/// asks. Then the plan waits. After work such a question is mere courtesy.
[[nodiscard]] bool asks_in_words(Draft& draft, const std::string& text);

/// A plan that waits for an answer continues without one.
void answer_nothing(Draft& draft);

}  // namespace clever::plan
