#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "cli/context.h"
#include "cli/parse.h"
#include "cli/report.h"
#include "diff/tree_diff.h"

// A difference as commands show it. Private to the module.
namespace clever::cli {

enum class DiffShape : std::uint8_t { kUnified, kStat, kWords, kNames, kSides };

/// --stat, --word, --name-only, --side-by-side, --no-pager.
[[nodiscard]] std::vector<Option> diff_options();
/// What they and the setting diff.layout ask for. `invalid_argument` if they contradict each other.
[[nodiscard]] base::Result<DiffShape> diff_shape(const Invocation& invocation, Context& context);

/// The files with their hunks and the unified text for programs, below `head`; for people the
/// shape, in their pager if it is long (then the view is empty). In a pipe the bytes of the unified
/// form are those that `git apply` takes.
[[nodiscard]] base::Result<Report> diff_report(Document head,
                                               const std::vector<diff::FileDiff>& files,
                                               DiffShape shape, const Invocation& invocation,
                                               Context& context);

/// Those at or below one of the paths, which are relative to where the command works, or to the
/// project; all without one. `not_found` names a path at which nothing changed.
[[nodiscard]] base::Result<std::vector<diff::FileDiff>> files_at(
    std::vector<diff::FileDiff> files, const std::vector<std::string>& paths,
    const std::string& project, const Context& context);

}  // namespace clever::cli
