#pragma once
#include "provider/answer.h"
#include "provider/internal/json_view.h"

namespace clever::provider::internal {

/// A count of tokens; 0 if it is missing or invalid.
[[nodiscard]] std::int64_t tokens(JsonView value);

/// `usage` of Chat Completions, from any provider.
[[nodiscard]] Usage openai_usage(JsonView usage);

}  // namespace clever::provider::internal
