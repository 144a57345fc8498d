#include "base/error.h"

#include <array>
#include <utility>

namespace clever::base {
namespace {

struct CodeFacts {
  std::string_view name;
  bool retryable;
};

// Indexed by ErrorCode.
constexpr std::array<CodeFacts, 11> kCodes{{
    {"invalid_argument", false},
    {"not_found", false},
    {"already_exists", false},
    {"conflict", false},  // needs a fresh read first: repeating the call would conflict again
    {"cancelled", false},
    {"deadline_exceeded", true},
    {"unavailable", true},
    {"resource_exhausted", true},
    {"permission_denied", false},
    {"corruption", false},
    {"internal", false},
}};

const CodeFacts& facts(ErrorCode code) noexcept { return kCodes[static_cast<std::size_t>(code)]; }

}  // namespace

std::string_view to_string(ErrorCode code) noexcept { return facts(code).name; }

std::optional<ErrorCode> error_code_from_string(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kCodes.size(); ++i) {
    if (kCodes[i].name == name) return static_cast<ErrorCode>(i);
  }
  return std::nullopt;
}

bool is_retryable(ErrorCode code) noexcept { return facts(code).retryable; }

Error& Error::add_context(std::string doing) & {
  context_.push_back(std::move(doing));
  return *this;
}

Error&& Error::add_context(std::string doing) && {
  context_.push_back(std::move(doing));
  return std::move(*this);
}

std::string Error::sentence() const {
  std::string text;
  for (auto it = context_.rbegin(); it != context_.rend(); ++it) text.append(*it).append(": ");
  return text.append(message_);
}

std::string Error::to_string() const {
  std::string text = sentence();
  return text.append(" (").append(base::to_string(code_)).append(")");
}

}  // namespace clever::base
