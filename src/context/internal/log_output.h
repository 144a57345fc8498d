#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "context/internal/commit_table.h"

namespace clever::context::internal {

/// How renames are detected: by similar contents, which git must read, or by equal ones, for which
/// names suffice.
enum class Renames : std::uint8_t { kAlike, kEqual };

/// The arguments of `git log`, without the wanted commits.
[[nodiscard]] std::vector<std::string> log_arguments(std::size_t most_commits, Renames renames);

/// Adds the commits in git's output for `log_arguments`. Skips what does not look like a commit;
/// the last commit of a cut-off output may lack some changes.
void read_log(std::string_view output, std::size_t most_files, CommitTable& table);

}  // namespace clever::context::internal
