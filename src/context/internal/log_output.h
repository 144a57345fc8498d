#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "context/internal/commit_table.h"

namespace clever::context::internal {

/// How files that were renamed are found: by alike contents, which git has to read for it, or by
/// equal ones, for which it only needs their names.
enum class Renames : std::uint8_t { kAlike, kEqual };

/// What git is asked for, less the commits that are wanted.
[[nodiscard]] std::vector<std::string> log_arguments(std::size_t most_commits, Renames renames);

/// Adds the commits that git wrote down for `log_arguments`. What does not look like a commit is
/// left out; of an output that was cut off the last commit may lack some of its changes.
void read_log(std::string_view output, std::size_t most_files, CommitTable& table);

}  // namespace clever::context::internal
