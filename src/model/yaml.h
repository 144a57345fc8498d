#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// Parses the YAML files of tools, actors, actions and scripts. Pure functions, safe from any
// thread.
namespace clever::model {

/// One value of a YAML document with its line: a tree without anchors, tags and duplicate keys. A
/// value.
struct YamlValue {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMapping };

  Kind kind = Kind::kNull;
  std::size_t line = 1;
  std::string text{};
  /// Quoted or a block: always a string.
  bool quoted = false;
  std::vector<YamlValue> items{};
  std::vector<std::pair<YamlValue, YamlValue>> members{};

  [[nodiscard]] bool is(Kind wanted) const noexcept { return kind == wanted; }
};

/// "a list", "a mapping", "nothing", "\"abc…\"".
[[nodiscard]] std::string describe(const YamlValue& value);

inline constexpr std::size_t kMostYamlValues = 200'000;
inline constexpr std::size_t kMostYamlDepth = 64;

/// The one document of a text. `invalid_argument` names file and line. For any text, the tree has
/// at most kMostYamlValues values and kMostYamlDepth levels.
[[nodiscard]] base::Result<YamlValue> read_yaml(std::string_view text, std::string_view file);

/// `invalid_argument`: "tools.yaml:3: WHAT".
[[nodiscard]] base::Error yaml_error(std::string_view file, std::size_t line,
                                     std::string_view what);
/// The error for an unknown word: names the nearest known one, or all.
[[nodiscard]] std::string unknown_word(std::string_view thing, const YamlValue& word,
                                       const std::vector<std::string>& known);

/// The JSON text of a value: unquoted words that look like numbers, booleans or null become those.
[[nodiscard]] std::string yaml_to_json(const YamlValue& value);

}  // namespace clever::model
