#pragma once
// Private to the module.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// What was typed in conversations, the oldest first, kept one per line in a file that only its
// owner can read. Several conversations may add to it at once.
namespace clever::cli {

inline constexpr std::size_t kMostHistory = 2000;

/// The newest kMostHistory; none if there is no file.
[[nodiscard]] base::Result<std::vector<std::string>> load_history(
    const std::filesystem::path& file);
[[nodiscard]] base::Result<void> add_to_history(const std::filesystem::path& file,
                                                std::string_view entry);

/// One line for an entry of several, and back: total, and inverse to each other.
[[nodiscard]] std::string history_line(std::string_view entry);
[[nodiscard]] std::string history_entry(std::string_view line);

}  // namespace clever::cli
