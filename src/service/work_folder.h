#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "git/project.h"
#include "service/context.h"
#include "service/invocation.h"

namespace clever::service {

/// --here, for every command that copies a folder's files or shows them to a model.
[[nodiscard]] Option here_option();

/// The project that a command is to work on. A folder that is no project yet is one if the command
/// line says --here or a person at the terminal agrees; `invalid_argument` says so otherwise.
/// `permission_denied` for the folders that engine::check_work_folder() refuses.
[[nodiscard]] base::Result<git::Project> work_project(const Invocation& invocation,
                                                      Context& context);
/// A repository that the command line names, and several as one project. `invalid_argument`, which
/// names the folders, for those that do not go; `not_found` for one that the caller may not see.
[[nodiscard]] base::Result<git::Project> git_repository(const std::filesystem::path& folder,
                                                        const config::Settings& settings,
                                                        Context& context);
[[nodiscard]] base::Result<git::Project> project_group(
    const std::vector<std::filesystem::path>& folders, Context& context);
/// The same without a question: for who makes it a project now.
[[nodiscard]] base::Result<void> check_project_folder(const git::Project& project,
                                                      const Context& context);

}  // namespace clever::service
