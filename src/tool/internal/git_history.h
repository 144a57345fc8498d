#pragma once
#include <optional>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/project.h"
#include "git/tree_path.h"
#include "tool/internal/file_view.h"
#include "tool/tool.h"

// What the repository's commits say, as text for a model. Nothing is written.
namespace clever::tool::internal {

/// `not_found` for a folder that is no repository, or one without a commit.
[[nodiscard]] base::Result<std::string> history_log(const std::optional<git::Project>& project,
                                                    const std::optional<git::TreePath>& path,
                                                    std::int64_t max, const CallContext& context);
/// The same, and `not_found` for a file that is in no commit.
[[nodiscard]] base::Result<std::string> history_blame(const std::optional<git::Project>& project,
                                                      const git::TreePath& path,
                                                      const LineRange& range,
                                                      const CallContext& context);

}  // namespace clever::tool::internal
