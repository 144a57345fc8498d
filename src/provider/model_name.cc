#include "provider/model_name.h"

#include <algorithm>

namespace clever::provider {

bool is_provider_name(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::optional<ModelName> ModelName::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !is_provider_name(text.substr(0, slash))) {
    return std::nullopt;
  }
  const std::string_view model = text.substr(slash + 1);
  const bool visible = std::ranges::none_of(
      model, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; });
  if (!visible || model.empty() || model.front() == '/' || model.back() == '/') return std::nullopt;
  return ModelName{std::string(text.substr(0, slash)), std::string(model)};
}

}  // namespace clever::provider
