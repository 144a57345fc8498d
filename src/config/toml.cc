#include "config/toml.h"

#include <utility>

#include "config/internal/document.h"

namespace clever::config {
namespace {

// The two enumerations have the same members in the same order.
static_assert(static_cast<int>(TomlKind::kString) == static_cast<int>(internal::Kind::kString) &&
              static_cast<int>(TomlKind::kInteger) == static_cast<int>(internal::Kind::kInteger) &&
              static_cast<int>(TomlKind::kNumber) == static_cast<int>(internal::Kind::kNumber) &&
              static_cast<int>(TomlKind::kBoolean) == static_cast<int>(internal::Kind::kBoolean) &&
              static_cast<int>(TomlKind::kTime) == static_cast<int>(internal::Kind::kTime) &&
              static_cast<int>(TomlKind::kArray) == static_cast<int>(internal::Kind::kArray));

}  // namespace

std::string_view to_string(TomlKind kind) noexcept {
  return internal::describe(static_cast<internal::Kind>(kind));
}

base::Result<std::vector<TomlValue>> parse_toml(std::string_view text, std::string_view name) {
  CLEVER_ASSIGN(internal::Document document, internal::parse(text, name));
  std::vector<TomlValue> values;
  for (internal::Leaf& leaf : document.leaves) {
    values.push_back({.path = std::move(leaf.path),
                      .kind = static_cast<TomlKind>(leaf.kind),
                      .text = std::move(leaf.text),
                      .line = leaf.line});
  }
  return values;
}

}  // namespace clever::config
