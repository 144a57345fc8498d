#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace clever::tool::internal {

/// The regular expressions of a schema, by their text. One that RE2 rejects matches everything.
/// Filled while a schema is compiled, and read-only afterwards.
class SchemaPatterns {
 public:
  SchemaPatterns();
  ~SchemaPatterns();

  void add(const std::string& pattern);
  [[nodiscard]] bool knows(std::string_view pattern) const;
  /// Whether it matches anywhere in the text.
  [[nodiscard]] bool matches(std::string_view pattern, std::string_view text) const;

 private:
  std::map<std::string, std::unique_ptr<re2::RE2>, std::less<>> patterns_;
};

}  // namespace clever::tool::internal
