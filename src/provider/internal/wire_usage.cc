#include "provider/internal/wire_usage.h"

#include <algorithm>

namespace clever::provider::internal {
namespace {

// More than any model reads or writes. Larger numbers are nonsense, and sums must not overflow.
constexpr std::int64_t kMost = std::int64_t{1} << 40U;

}  // namespace

std::int64_t tokens(JsonView value) {
  const auto count = value.integer();
  return count && *count >= 0 && *count <= kMost ? *count : 0;
}

Usage openai_usage(JsonView usage) {
  const JsonView prompt = usage["prompt_tokens_details"];
  return {.input = tokens(usage["prompt_tokens"]),
          .output = tokens(usage["completion_tokens"]),
          // DeepSeek uses the second name.
          .cache_read =
              std::max(tokens(prompt["cached_tokens"]), tokens(usage["prompt_cache_hit_tokens"])),
          .cache_write = tokens(prompt["cache_write_tokens"]),
          .reasoning = tokens(usage["completion_tokens_details"]["reasoning_tokens"]),
          .known = true};
}

}  // namespace clever::provider::internal
