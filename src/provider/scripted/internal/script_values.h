#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/yaml.h"
#include "provider/scripted/pattern.h"

// Parses values of a script. Errors name file, line and key and say what would be right.
namespace clever::provider::internal {

using model::YamlValue;
using YamlKind = YamlValue::Kind;

/// One key with its value.
struct YamlField {
  const std::string& file;
  std::string_view key;
  const YamlValue& value;

  [[nodiscard]] base::Error wrong(std::string_view wanted) const;
  /// An error at the same place with another sentence.
  [[nodiscard]] base::Error error(std::string_view what) const;
};

[[nodiscard]] base::Result<std::string> read_text(const YamlField& field);
/// One text or a list of them.
[[nodiscard]] base::Result<std::vector<std::string>> read_texts(const YamlField& field);
[[nodiscard]] base::Result<std::int64_t> read_integer(const YamlField& field, std::int64_t least,
                                                      std::int64_t most);
[[nodiscard]] base::Result<bool> read_bool(const YamlField& field);
/// "250ms", "1.5s", "14m", "2h"; 0 needs no unit. At most a week.
[[nodiscard]] base::Result<std::chrono::milliseconds> read_duration(const YamlField& field);
[[nodiscard]] base::Result<Pattern> read_pattern(const YamlField& field);
/// The index of the word in `names`.
[[nodiscard]] base::Result<std::size_t> read_word(const YamlField& field,
                                                  std::span<const std::string_view> names);

/// "there is no key "raply"; did you mean "reply"? Known here: …"
[[nodiscard]] base::Error unknown_key(const std::string& file, const YamlValue& key,
                                      std::span<const std::string_view> known);

}  // namespace clever::provider::internal
