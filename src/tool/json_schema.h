#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::tool {

/// A JSON Schema (draft 7), read once and used for many texts.
///
/// Thread-safe; immutable. Neither a schema nor a text that somebody else wrote can hang or crash
/// it: size, depth and the number of steps are limited, and patterns are RE2's. `format`, content
/// keywords and patterns that RE2 does not know (look-around, back references) are not checked.
/// References reach within the schema only.
class JsonSchema {
 public:
  static constexpr std::size_t kLargestSchema = std::size_t{1} << 20U;
  static constexpr std::size_t kLargestInput = std::size_t{32} << 20U;
  static constexpr std::size_t kDeepest = 64;

  /// `invalid_argument` names the place in the schema and what would be right.
  [[nodiscard]] static base::Result<std::shared_ptr<const JsonSchema>> compile(
      std::string_view schema);
  virtual ~JsonSchema() = default;

  /// The text in one canonical form (each key once: what was checked is what a tool will read), or
  /// `invalid_argument`, written so that a model can mend its input: each problem with its place
  /// (`/edits/0/old_text`), what is there, and what would be right.
  [[nodiscard]] virtual base::Result<std::string> check(std::string_view input) const = 0;

  /// The form of an object in one line: `{path: string, start_line?: integer}`.
  [[nodiscard]] virtual const std::string& signature() const = 0;
};

}  // namespace clever::tool
