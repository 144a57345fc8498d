#pragma once
#include "support/internal/served_wire.h"

// What OpenAI's two APIs have in common.
namespace clever::test::internal {

[[nodiscard]] json openai_error(provider::FailureKind kind, int status, const std::string& message);
[[nodiscard]] std::vector<io::HttpHeader> openai_limit_headers(const LimitStates& limits);
[[nodiscard]] std::vector<io::HttpHeader> openai_retry_headers(
    std::chrono::milliseconds retry_after);

}  // namespace clever::test::internal
