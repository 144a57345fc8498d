#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/schema.h"

// Adds and removes whole tables (`[[validation]]`) in a TOML text, and keeps every other byte. Pure
// functions; as in edit_text.h each result is parsed again and compared.
namespace clever::config::internal {

using TableValues = std::map<std::string, std::vector<std::string>>;

/// The table as TOML with its header, keys in the schema's order.
[[nodiscard]] std::string table_text(const TableInfo& info, const TableValues& values,
                                     std::string_view new_line);

/// Adds the table at the end. `name` names the text in messages. `invalid_argument` if the text is
/// broken, a key unknown or a value invalid; `already_exists` if its name is taken.
[[nodiscard]] base::Result<std::string> with_table(std::string_view text, const TableInfo& info,
                                                   const TableValues& values,
                                                   std::string_view name);

/// Removes the table with that name. `not_found` if there is none.
[[nodiscard]] base::Result<std::string> without_table(std::string_view text, const TableInfo& info,
                                                      std::string_view table,
                                                      std::string_view name);

}  // namespace clever::config::internal
