#pragma once
#include "base/sha256.h"
#include "plan/command.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"

namespace clever::plan {

inline constexpr std::string_view kSubmitStrategy = "submit_strategy";

/// Whether an answer can be worked with; if not, what follows was decided: the model was reminded,
/// or misbehaved once too often. The answer is not part of the conversation then.
[[nodiscard]] bool is_usable(Draft& draft, const Answered& answer);

/// An answer in strategize: a strategy, calls of tools that read, or prose.
void strategize_with(Draft& draft, const Answered& answer);

/// The calls of an answer that is part of the conversation by now: run, refused, or put aside until
/// a person has said something about them.
void run_tools(Draft& draft, const Answered& answer, const base::Sha256Digest& body);

}  // namespace clever::plan
