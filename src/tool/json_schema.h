#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::tool {

/// A JSON Schema (draft 7), compiled once and used for many texts.
///
/// Thread-safe; immutable. No untrusted schema or text can hang or crash it: size, depth and the
/// number of steps are limited, and patterns are RE2's. Does not check `format`, content keywords
/// and patterns that RE2 lacks (look-around, back references). References stay within the schema.
class JsonSchema {
 public:
  static constexpr std::size_t kLargestSchema = std::size_t{1} << 20U;
  static constexpr std::size_t kLargestInput = std::size_t{32} << 20U;
  static constexpr std::size_t kDeepest = 64;

  /// `invalid_argument` names the place in the schema and what would be right.
  [[nodiscard]] static base::Result<std::shared_ptr<const JsonSchema>> compile(
      std::string_view schema);
  ~JsonSchema();

  /// The text in a canonical form (without duplicate keys, so that a tool reads what was checked),
  /// or `invalid_argument`, written so that a model can fix its input: each problem with its place
  /// (`/edits/0/old_text`), the present value, and what would be right.
  [[nodiscard]] base::Result<std::string> check(std::string_view input) const;

  /// The form of an object in one line: `{path: string, start_line?: integer}`.
  [[nodiscard]] const std::string& signature() const;

 private:
  class Impl;
  explicit JsonSchema(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::tool
