#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/internal/document.h"
#include "config/schema.h"

namespace clever::config::internal {

/// The size limit of a settings file in bytes.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 20U;

/// The text of a settings file; empty if it is missing.
[[nodiscard]] base::Result<std::string> read_text(const std::filesystem::path& path);

/// The leaf's value as text, if it has the right kind and is valid for the key.
[[nodiscard]] base::Result<std::string> checked_text(const KeyInfo& info, const Leaf& leaf);

/// The values of one table of an array, with defaults for missing keys; a command is a program and
/// its arguments. `invalid_argument` begins with "PLACE:LINE: ".
[[nodiscard]] base::Result<std::map<std::string, std::vector<std::string>>> checked_table(
    const TableInfo& info, const Element& element, std::string_view place);

}  // namespace clever::config::internal
