#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace clever::provider::internal {

/// One value of a YAML document with its place: the subset that scripts need, a tree without
/// anchors, tags and repeated keys. A value.
struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMapping };

  Kind kind = Kind::kNull;
  std::size_t line = 0;    // from 1
  std::size_t column = 0;  // from 1
  std::string text{};
  /// Quoted or a block: always a string.
  bool quoted = false;
  std::vector<YamlNode> items{};
  std::vector<std::pair<YamlNode, YamlNode>> members{};

  [[nodiscard]] bool is_null() const noexcept { return kind == Kind::kNull; }
  [[nodiscard]] bool is_scalar() const noexcept { return kind == Kind::kScalar; }
  [[nodiscard]] bool is_list() const noexcept { return kind == Kind::kList; }
  [[nodiscard]] bool is_mapping() const noexcept { return kind == Kind::kMapping; }
};

/// "a list", "a mapping", "nothing", "the text \"abc…\"".
[[nodiscard]] std::string describe(const YamlNode& node);

inline constexpr std::size_t kMostYamlNodes = 200'000;
inline constexpr std::size_t kMostYamlDepth = 64;

/// The one document of a text. `invalid_argument` names file and line. For any text, the tree has
/// at most kMostYamlNodes values and kMostYamlDepth levels.
[[nodiscard]] base::Result<YamlNode> parse_yaml(std::string_view text, const std::string& file);

}  // namespace clever::provider::internal
