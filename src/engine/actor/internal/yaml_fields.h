#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor/tool_actor.h"
#include "model/yaml.h"

namespace clever::engine::internal {

/// The keys of one mapping of a file that a person wrote, read by name. Every error names file,
/// line and the place in the file ("steps[2].replace"), and says what would be right.
///
/// A view: file and mapping must outlive it.
class YamlFields {
 public:
  /// `invalid_argument` unless the value is a mapping whose keys are all known and of which none of
  /// `needed` is missing. `place` is empty for the whole file.
  [[nodiscard]] static base::Result<YamlFields> of(const model::YamlValue& value,
                                                   std::string_view file, std::string place,
                                                   const std::vector<std::string>& known,
                                                   const std::vector<std::string>& needed);

  [[nodiscard]] const model::YamlValue* find(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  // Each leaves `into` as it is if the key is not there.
  base::Result<void> text(std::string_view key, std::string& into) const;
  /// The same, but it may be empty.
  base::Result<void> any_text(std::string_view key, std::string& into) const;
  base::Result<void> flag(std::string_view key, bool& into) const;
  base::Result<void> integer(std::string_view key, std::int64_t least, std::int64_t most,
                             std::int64_t& into) const;
  base::Result<void> texts(std::string_view key, std::vector<std::string>& into) const;
  /// A list of {name, description, type, choices, required, default}.
  base::Result<void> arguments(std::string_view key, std::vector<ActorArgument>& into) const;

  /// "actor.yaml:7: steps[2].glob WHAT".
  [[nodiscard]] base::Error error(std::string_view key, const model::YamlValue& value,
                                  std::string_view what) const;
  [[nodiscard]] base::Error wrong(std::string_view key, const model::YamlValue& value,
                                  std::string_view right) const;
  [[nodiscard]] std::string path_of(std::string_view key) const;
  [[nodiscard]] std::string_view file() const { return file_; }

 private:
  YamlFields(const model::YamlValue& mapping, std::string_view file, std::string place)
      : mapping_(&mapping), file_(file), place_(std::move(place)) {}

  const model::YamlValue* mapping_;
  std::string_view file_;
  std::string place_;
};

/// "codemod" → "local/codemod". `invalid_argument` unless it is namespace/name of small letters,
/// digits, `_`, `-` and `.`, at most 64 each.
[[nodiscard]] base::Result<std::string> qualified_name(std::string_view name);

}  // namespace clever::engine::internal
