#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace clever::service {

/// "did you mean `config`?" for a mistyped word, or `otherwise` when nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string_view>& candidates,
                                       std::string otherwise = {});

}  // namespace clever::service
