#include "io/http.h"

#include <algorithm>

namespace clever::io {

std::optional<std::string_view> HttpHead::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &HttpHeader::name);
  if (found == headers.end()) return std::nullopt;
  return found->value;
}

std::string_view to_string(HttpFailure failure) noexcept {
  switch (failure) {
    case HttpFailure::kBadUrl:
      return "bad_url";
    case HttpFailure::kResolve:
      return "resolve";
    case HttpFailure::kConnect:
      return "connect";
    case HttpFailure::kTls:
      return "tls";
    case HttpFailure::kTimeout:
      return "timeout";
    case HttpFailure::kCut:
      return "cut";
    case HttpFailure::kProtocol:
      return "protocol";
    case HttpFailure::kTooLarge:
      return "too_large";
    case HttpFailure::kBomb:
      return "bomb";
    case HttpFailure::kCancelled:
      return "cancelled";
    case HttpFailure::kNoLibrary:
      return "no_library";
  }
  return "unknown";
}

}  // namespace clever::io
