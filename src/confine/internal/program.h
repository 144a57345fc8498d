#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "confine/command.h"

namespace clever::confine::internal {

/// What exec wants: pointers to the texts, then a null pointer.
[[nodiscard]] std::vector<char*> exec_pointers(const std::vector<std::string>& texts);
/// Gives up every privilege and becomes the command's program. Returns only if that failed. For a
/// process that was forked for it.
[[nodiscard]] base::Error become_confined(const Command& command,
                                          const std::vector<std::filesystem::path>& writable);
/// The same without confinement.
[[nodiscard]] base::Error become_unconfined(const Command& command);

}  // namespace clever::confine::internal
