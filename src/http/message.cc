#include "http/message.h"

#include <algorithm>

namespace clever::http {

std::optional<std::string_view> Request::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &Header::name);
  if (found == headers.end()) return std::nullopt;
  return found->value;
}

std::optional<std::string_view> Request::query_value(std::string_view name) const {
  const auto found = std::ranges::find(query, name, &std::pair<std::string, std::string>::first);
  if (found == query.end()) return std::nullopt;
  return found->second;
}

}  // namespace clever::http
