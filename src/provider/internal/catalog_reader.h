#pragma once
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "provider/catalog.h"

namespace clever::provider::internal {

/// By provider and pattern.
using CatalogEntries = std::map<std::string, std::map<std::string, ModelFacts>>;

/// Parses a table of models; models.toml describes its form. `invalid_argument` names file, line
/// and key, and says what would be right.
[[nodiscard]] base::Result<CatalogEntries> read_catalog(std::string_view text,
                                                        std::string_view file_name);

}  // namespace clever::provider::internal
