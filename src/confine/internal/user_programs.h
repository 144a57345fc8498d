#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "confine/command.h"

// Programs that a person keeps in places that commands cannot see: below a home folder (~/bin, a
// virtual environment, a vendor's agent) or in /tmp.
namespace clever::confine::internal {

struct UserPrograms {
  /// The folders of the named programs, read-only, in place.
  std::vector<Mount> mounts{};
  /// "PATH: REASON" for the first that exists and stays invisible; may be empty.
  std::string unseen{};
};

/// Finds the programs that `command` names: its first word and, in a text for a shell, every word
/// in a program's position. Follows links and the first lines of scripts to the interpreters. Shows
/// a whole folder only if it is an installation or holds programs, never a home folder, a checkout,
/// or a place with keys; otherwise only the file. Never shows `withheld`. Reads the host's file
/// system; total.
[[nodiscard]] UserPrograms user_programs(const Command& command,
                                         const std::vector<std::filesystem::path>& withheld);

/// Adds them where they cover nothing of the command's own mounts.
void add_mounts(Command& command, std::vector<Mount> mounts);

}  // namespace clever::confine::internal
