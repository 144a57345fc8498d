#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/schema.h"

// Adding and removing whole tables (`[[validation]]`) in a TOML text, every other byte left alone.
// Pure functions; as in edit_text.h each outcome is parsed again and compared.
namespace clever::config::internal {

using TableValues = std::map<std::string, std::vector<std::string>>;

/// The table as TOML, its header included, its keys in the schema's order.
[[nodiscard]] std::string table_text(const TableInfo& info, const TableValues& values,
                                     std::string_view new_line);

/// With the table at the end. `name` stands for the text in messages. `invalid_argument` if the
/// text is broken, a key unknown or a value wrong; `already_exists` if one has its name.
[[nodiscard]] base::Result<std::string> with_table(std::string_view text, const TableInfo& info,
                                                   const TableValues& values,
                                                   std::string_view name);

/// Without the table of that name. `not_found` if there is none.
[[nodiscard]] base::Result<std::string> without_table(std::string_view text, const TableInfo& info,
                                                      std::string_view table,
                                                      std::string_view name);

}  // namespace clever::config::internal
