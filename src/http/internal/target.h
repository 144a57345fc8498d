#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace clever::http::internal {

/// The parts of a request's target, decoded.
struct Target {
  std::vector<std::string> path{};
  std::vector<std::pair<std::string, std::string>> query{};
  std::string authority{};  // of an absolute target
};

/// Parses "/path?query", "http://host/path?query" and, for OPTIONS, "*". `invalid_argument` for
/// anything else: a bad percent escape, NUL, text that is not UTF-8, dot segments, a fragment.
[[nodiscard]] base::Result<Target> parse_target(std::string_view method, std::string_view target);

/// Whether the text is a host with an optional port, as in a Host header: a name, an IPv4 address,
/// or an IPv6 address in brackets. Not empty.
[[nodiscard]] bool is_authority(std::string_view text);

}  // namespace clever::http::internal
