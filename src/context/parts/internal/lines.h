#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "context/token_counter.h"

namespace clever::context::internal {

/// The longest beginning of `lines` with at most `tokens`. Each line includes its end.
[[nodiscard]] std::string as_many_lines(const std::vector<std::string>& lines,
                                        const TokenCounter& counter, std::size_t tokens);

}  // namespace clever::context::internal
