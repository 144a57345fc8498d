#include "http/internal/target.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"

namespace clever::http::internal {
namespace {

enum class Plus : std::uint8_t { kIsPlus, kIsSpace };

base::Result<std::string> decoded(std::string_view text, Plus plus) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && plus == Plus::kIsSpace) {
      result += ' ';
    } else if (text[at] != '%') {
      result += text[at];
    } else {
      const auto byte = base::to_number<std::uint8_t>(text.substr(at + 1, 2), 16);
      if (!byte || text.size() - at < 3) {
        return base::invalid_argument("'%' in a target needs two hexadecimal digits");
      }
      if (*byte == 0) return base::invalid_argument("a target must not hold NUL");
      result += static_cast<char>(*byte);
      at += 2;
    }
  }
  if (!base::is_utf8(result)) return base::invalid_argument("a target must be UTF-8");
  return result;
}

base::Result<void> read_path(std::string_view path, Target& target) {
  for (const std::string_view piece : base::split(path.substr(1), '/')) {
    CLEVER_ASSIGN(std::string segment, decoded(piece, Plus::kIsPlus));
    if (segment == "." || segment == "..") {
      return base::invalid_argument("a path must not hold '.' and '..' segments");
    }
    target.path.push_back(std::move(segment));
  }
  return {};
}

base::Result<void> read_query(std::string_view query, Target& target) {
  for (const std::string_view pair : base::split(query, '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    CLEVER_ASSIGN(std::string name, decoded(pair.substr(0, equals), Plus::kIsSpace));
    const std::string_view rest = pair.substr(std::min(equals + 1, pair.size()));
    CLEVER_ASSIGN(std::string value, decoded(rest, Plus::kIsSpace));
    target.query.emplace_back(std::move(name), std::move(value));
  }
  return {};
}

base::Result<void> read_origin(std::string_view text, Target& target) {
  const std::size_t question = text.find('?');
  CLEVER_TRY(read_path(text.substr(0, question), target));
  if (question == std::string_view::npos) return {};
  return read_query(text.substr(question + 1), target);
}

// Returns the length of "http://" or "https://" at the beginning, or 0.
std::size_t scheme_length(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (base::lower_case(target.substr(0, scheme.size())) == scheme) return scheme.size();
  }
  return 0;
}

base::Result<void> read_absolute(std::string_view text, Target& target) {
  const std::size_t scheme = scheme_length(text);
  if (scheme == 0) {
    return base::invalid_argument("a target begins with '/', http:// or https://");
  }
  const std::string_view rest = text.substr(scheme);
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  if (!is_authority(rest.substr(0, end))) {
    return base::invalid_argument("the target's host is malformed");
  }
  target.authority = rest.substr(0, end);
  const std::string_view origin = rest.substr(end);
  if (origin.starts_with('/')) return read_origin(origin, target);
  return read_origin("/" + std::string(origin), target);
}

bool is_host_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_';
}

bool is_address_letter(char c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' ||
         c == '.';
}

// Returns where the host ends, or none if it is malformed.
std::optional<std::size_t> host_end(std::string_view text) {
  if (!text.starts_with('[')) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const bool valid = end > 0 && std::ranges::all_of(text.substr(0, end), is_host_letter);
    return valid ? std::optional(end) : std::nullopt;
  }
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos || end == 1) return std::nullopt;
  if (!std::ranges::all_of(text.substr(1, end - 1), is_address_letter)) return std::nullopt;
  return end + 1;
}

}  // namespace

base::Result<Target> parse_target(std::string_view method, std::string_view target) {
  Target result;
  if (target.contains('#')) return base::invalid_argument("a target must not hold a fragment");
  if (target == "*" && method == "OPTIONS") return result;
  CLEVER_TRY(target.starts_with('/') ? read_origin(target, result) : read_absolute(target, result));
  return result;
}

bool is_authority(std::string_view text) {
  const std::optional<std::size_t> end = host_end(text);
  if (!end) return false;
  const std::string_view port = text.substr(*end);
  if (port.empty()) return true;
  return port.starts_with(':') && base::to_number<std::uint16_t>(port.substr(1)).has_value();
}

}  // namespace clever::http::internal
