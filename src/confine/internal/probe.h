#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "confine/support.h"

namespace clever::confine::internal {

/// The supervisor's part of features(): tries everything, and writes the results to standard
/// output. Returns the exit code.
int print_features();

/// Parses the output of print_features(); `corruption` otherwise.
[[nodiscard]] base::Result<std::vector<Feature>> parse_features(std::string_view text);
[[nodiscard]] std::string features_text(const std::vector<Feature>& features);

}  // namespace clever::confine::internal
