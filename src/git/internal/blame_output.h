#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "git/history.h"

namespace clever::git::internal {

/// Parses the output of `git blame --line-porcelain`; leaves out a line that is cut off at the end.
/// Pure.
[[nodiscard]] std::vector<BlameLine> parse_blame(std::string_view output);

/// "2026-11-16T02:35:11+01:00" for seconds since 1970 and git's "+0100".
[[nodiscard]] std::string iso_date(std::int64_t seconds, std::string_view zone);

}  // namespace clever::git::internal
