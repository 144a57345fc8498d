#pragma once
#include "provider/answer.h"
#include "provider/internal/json_view.h"

namespace clever::provider::internal {

/// A count of tokens; 0 if there is none or it makes no sense.
[[nodiscard]] std::int64_t tokens(JsonView value);

/// `usage` of Chat Completions, by whoever.
[[nodiscard]] Usage openai_usage(JsonView usage);

}  // namespace clever::provider::internal
