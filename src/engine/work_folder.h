#pragma once
#include <filesystem>

#include "base/result.h"
#include "git/project.h"

namespace clever::engine {

/// Whose machine it is. A value; both paths absolute.
struct WorkFolderRules {
  std::filesystem::path home{};
  std::filesystem::path own_home{};
};

/// A repository, or a folder in which `agents init` or `agents project add` was said: a person has
/// decided that it is a project. Any other folder needs a person's word before its files are copied
/// or shown to a model.
[[nodiscard]] bool is_named_project(const git::Project& project, const WorkFolderRules& rules);

/// `permission_denied` for a folder that is no repository and no project either, whatever a person
/// says: the home folder and those above it, folders of the system, our own, and those that hold
/// secrets.
[[nodiscard]] base::Result<void> check_work_folder(const git::Project& project,
                                                   const WorkFolderRules& rules);

}  // namespace clever::engine
