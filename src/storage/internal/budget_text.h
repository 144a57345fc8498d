#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// Converts the scopes of a reservation to one column: one per line; no scope contains a line end.
namespace clever::storage {

[[nodiscard]] inline std::string scopes_text(const std::vector<std::string>& scopes) {
  std::string text;
  for (const std::string& scope : scopes) text += (text.empty() ? "" : "\n") + scope;
  return text;
}

[[nodiscard]] inline std::vector<std::string> scopes_of_text(std::string_view text) {
  std::vector<std::string> scopes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    scopes.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return scopes;
}

}  // namespace clever::storage
