#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "confine/command.h"

// Programs that a person keeps in places which commands do not see: below a home folder (~/bin, a
// virtual environment, a vendor's agent) or in /tmp.
namespace clever::confine::internal {

struct UserPrograms {
  /// The folders of those that the command names, read-only, where they are.
  std::vector<Mount> mounts{};
  /// "PATH: REASON" of the first that exists and stays invisible; empty if there is none.
  std::string unseen{};
};

/// Looks for the programs that `command` names: its first word and, of a text for a shell, every
/// word where a program stands. Follows links and the first lines of scripts to the interpreters.
/// A folder is shown whole only if it is an installation or holds programs, never a home folder, a
/// checkout, or a place with keys; else the file alone. `withheld` is never shown. Reads the host's
/// file system; total.
[[nodiscard]] UserPrograms user_programs(const Command& command,
                                         const std::vector<std::filesystem::path>& withheld);

/// Adds them where nothing of the command's own is covered.
void add_mounts(Command& command, std::vector<Mount> mounts);

}  // namespace clever::confine::internal
