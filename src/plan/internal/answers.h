#pragma once
#include "base/sha256.h"
#include "plan/command.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"

namespace clever::plan {

inline constexpr std::string_view kSubmitStrategy = "submit_strategy";

/// Whether an answer is usable; if not, the consequences were decided: a reminder, or misbehaviour
/// after too many. Then the answer does not join the conversation.
[[nodiscard]] bool is_usable(Draft& draft, const Answered& answer);

/// Handles an answer in strategize: a strategy, calls of reading tools, or prose.
void strategize_with(Draft& draft, const Answered& answer);

/// Handles the calls of an answer that has joined the conversation: run, refused, or held for
/// approval.
void run_tools(Draft& draft, const Answered& answer, const base::Sha256Digest& body);

}  // namespace clever::plan
