#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "confine/support.h"

namespace clever::confine::internal {

/// What a supervisor does to answer features(): tries everything, and writes what it found to
/// standard output. Returns the exit code.
int print_features();

/// What print_features() wrote; `corruption` if it is something else.
[[nodiscard]] base::Result<std::vector<Feature>> parse_features(std::string_view text);
[[nodiscard]] std::string features_text(const std::vector<Feature>& features);

}  // namespace clever::confine::internal
