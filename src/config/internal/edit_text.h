#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/internal/document.h"
#include "config/schema.h"

// Changes of one key in a TOML text that leave every other byte alone. Pure functions.
//
// Where a new key goes is tried in order of what a person would write; each outcome is parsed
// again, and the first that differs from the text in exactly this key is taken. If none does, the
// text is refused: an edit can fail, but never change something else.
namespace clever::config::internal {

/// The value as TOML: quoted or bare as the key's type wants. It must have passed check_value().
[[nodiscard]] std::string literal(const KeyInfo& info, std::string_view value);

/// `name` stands for the text in messages. `invalid_argument` if the text is broken or has a table,
/// or a value where a table would have to be, in the key's place.
[[nodiscard]] base::Result<std::string> with_value(std::string_view text, const Path& path,
                                                   std::string_view literal, std::string_view name);

/// `not_found` if the key is not set.
[[nodiscard]] base::Result<std::string> without_value(std::string_view text, const Path& path,
                                                      std::string_view name);

}  // namespace clever::config::internal
