#include "service/invocation.h"

#include "base/check.h"

namespace clever::service {

std::optional<std::string_view> Invocation::value(std::string_view option) const {
  const auto it = options_.find(option);
  if (it == options_.end()) return std::nullopt;
  return it->second.back();
}

std::vector<std::string> Invocation::values(std::string_view option) const {
  const auto it = options_.find(option);
  return it == options_.end() ? std::vector<std::string>() : it->second;
}

const std::string& Invocation::word(std::size_t index) const {
  CLEVER_CHECK(index < words_.size(), "a required word is missing after parsing");
  return words_[index];
}

}  // namespace clever::service
