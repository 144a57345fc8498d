#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "config/internal/document.h"
#include "config/schema.h"

namespace clever::config::internal {

/// What a settings file may take, in bytes; a larger one is refused.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 20U;

/// The text of a settings file; a missing one is empty.
[[nodiscard]] base::Result<std::string> read_text(const std::filesystem::path& path);

/// The leaf's value as text, if it is of the right kind and right for the key.
[[nodiscard]] base::Result<std::string> checked_text(const KeyInfo& info, const Leaf& leaf);

}  // namespace clever::config::internal
