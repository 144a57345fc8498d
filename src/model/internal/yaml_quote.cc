#include "model/internal/yaml_quote.h"

namespace clever::model::internal {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_double_closed(std::string_view words) noexcept {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '"') return true;
    if (words[i] == '\\') ++i;
  }
  return false;
}

bool is_single_closed(std::string_view words) noexcept {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != '\'') continue;
    if (!words.substr(i + 1).starts_with('\'')) return true;
    ++i;
  }
  return false;
}

}  // namespace

bool is_yaml_quote_closed(std::string_view text, std::size_t at) noexcept {
  // Parsers count columns from behind it.
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (at >= text.size()) return true;
  if (text[at] == '"') return is_double_closed(text.substr(at + 1));
  return text[at] != '\'' || is_single_closed(text.substr(at + 1));
}

}  // namespace clever::model::internal
