#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace clever::provider::internal {

[[nodiscard]] inline std::string joined(const std::vector<std::string>& parts,
                                        std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : separator).append(part);
  return text;
}

}  // namespace clever::provider::internal
