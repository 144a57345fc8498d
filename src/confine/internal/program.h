#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "confine/command.h"

namespace clever::confine::internal {

/// Pointers to the texts and a null pointer, as exec takes them.
[[nodiscard]] std::vector<char*> exec_pointers(const std::vector<std::string>& texts);
/// Drops every privilege and becomes the command's program. Returns only on failure. For a process
/// forked for that.
[[nodiscard]] base::Error become_confined(const Command& command,
                                          const std::vector<std::filesystem::path>& writable);
/// The same without confinement.
[[nodiscard]] base::Error become_unconfined(const Command& command);

}  // namespace clever::confine::internal
