#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "diff/tree_diff.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/report.h"

// A difference as commands show it. Private to the module.
namespace clever::service {

/// --stat, --word, --name-only, --side-by-side, --no-pager.
[[nodiscard]] std::vector<Option> diff_options();
/// What they and the setting diff.layout ask for. `invalid_argument` if they contradict each other.
[[nodiscard]] base::Result<DiffShape> diff_shape(const Invocation& invocation, Context& context);

/// The files with their hunks and the unified text for programs, below `head`; for people the
/// shape.
[[nodiscard]] Report diff_report(Document head, std::vector<diff::FileDiff> files, DiffShape shape,
                                 const Invocation& invocation);

/// Those at or below one of the paths, which are relative to where the command works, or to the
/// project; all without one. `not_found` names a path at which nothing changed.
[[nodiscard]] base::Result<std::vector<diff::FileDiff>> files_at(
    std::vector<diff::FileDiff> files, const std::vector<std::string>& paths,
    const std::string& project, const Context& context);

}  // namespace clever::service
