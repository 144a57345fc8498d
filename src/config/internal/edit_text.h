#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/internal/document.h"
#include "config/schema.h"

// Changes one key in a TOML text, and keeps every other byte. Pure functions.
//
// Tries the positions for a new key in the order a person would choose; parses each result again,
// and takes the first that differs in exactly this key. If none does, it refuses: an edit can fail,
// but never changes something else.
namespace clever::config::internal {

/// The value as TOML: quoted or bare, depending on the key's type. It must have passed
/// check_value().
[[nodiscard]] std::string literal(const KeyInfo& info, std::string_view value);

/// `name` names the text in messages. `invalid_argument` if the text is broken, or a table or value
/// is in the key's place.
[[nodiscard]] base::Result<std::string> with_value(std::string_view text, const Path& path,
                                                   std::string_view literal, std::string_view name);

/// `not_found` if the key is not set.
[[nodiscard]] base::Result<std::string> without_value(std::string_view text, const Path& path,
                                                      std::string_view name);

}  // namespace clever::config::internal
