#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tool/internal/schema_patterns.h"

namespace clever::tool::internal {

/// What is wrong with one value, and what would be right.
struct Problem {
  std::string path;  // "/edits/0"; empty: the whole
  std::string what;
};
using Problems = std::vector<Problem>;

/// Checks one value against a schema that check_schema() accepted. Used once, by one thread.
class SchemaValidator {
 public:
  SchemaValidator(const nlohmann::json& root, const SchemaPatterns& patterns)
      : root_(root), patterns_(patterns) {}

  [[nodiscard]] Problems check(const nlohmann::json& value);
  /// Whether the schema needed excessive work: it refers to itself without end, or branches too
  /// much. Then the problems are meaningless.
  [[nodiscard]] bool exhausted() const noexcept { return exhausted_; }

 private:
  using Json = nlohmann::json;
  // One value at one place, with the list for its problems.
  struct Place {
    const Json& value;
    const std::string& path;
    Problems& problems;

    void wrong(std::string what) const { problems.push_back({path, std::move(what)}); }
  };
  enum class Several : std::uint8_t { kAny, kOne };

  void check(const Json& schema, const Place& place);
  void check_keywords(const Json& schema, const Place& place);
  [[nodiscard]] bool fits(const Json& schema, const Place& place);

  void check_type(const Json& schema, const Place& place);
  void check_values(const Json& schema, const Place& place);
  void check_number(const Json& schema, const Place& place);
  void check_string(const Json& schema, const Place& place);

  void check_array(const Json& schema, const Place& place);
  void check_items(const Json& schema, const Place& place);
  void check_object(const Json& schema, const Place& place);
  void check_required(const Json& schema, const Place& place);
  void check_members(const Json& schema, const Place& place);
  bool check_patterns(const Json& schema, const std::string& name, const Place& member);
  void check_additional(const Json& schema, const std::string& name, const Place& object,
                        const Place& member);
  void check_dependencies(const Json& schema, const Place& place);

  void check_combined(const Json& schema, const Place& place);
  void check_several(const Json& schemas, Several how, const Place& place);
  void check_condition(const Json& schema, const Place& place);

  const Json& root_;
  const SchemaPatterns& patterns_;
  std::size_t steps_ = 0;
  std::size_t depth_ = 0;
  bool exhausted_ = false;
};

}  // namespace clever::tool::internal
