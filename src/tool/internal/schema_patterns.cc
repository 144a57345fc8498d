#include "tool/internal/schema_patterns.h"

#include <re2/re2.h>

namespace clever::tool::internal {

SchemaPatterns::SchemaPatterns() = default;
SchemaPatterns::~SchemaPatterns() = default;

void SchemaPatterns::add(const std::string& pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(std::int64_t{1} << 20U);
  auto compiled = std::make_unique<re2::RE2>(pattern, options);
  if (compiled->ok()) patterns_.emplace(pattern, std::move(compiled));
}

bool SchemaPatterns::knows(std::string_view pattern) const { return patterns_.contains(pattern); }

bool SchemaPatterns::matches(std::string_view pattern, std::string_view text) const {
  const auto found = patterns_.find(pattern);
  if (found == patterns_.end()) return true;
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *found->second);
}

}  // namespace clever::tool::internal
