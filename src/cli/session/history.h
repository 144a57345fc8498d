#pragma once
// Private to the module.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The lines typed in conversations, the oldest first, one per line in a file that only its owner
// can read. Several conversations may append at once.
namespace clever::cli {

inline constexpr std::size_t kMostHistory = 2000;

/// Returns the newest kMostHistory lines; none if there is no file.
[[nodiscard]] base::Result<std::vector<std::string>> load_history(
    const std::filesystem::path& file);
[[nodiscard]] base::Result<void> add_to_history(const std::filesystem::path& file,
                                                std::string_view entry);

/// Encodes an entry of several lines as one line, and back. Both accept any input and are inverse
/// to each other.
[[nodiscard]] std::string history_line(std::string_view entry);
[[nodiscard]] std::string history_entry(std::string_view line);

}  // namespace clever::cli
