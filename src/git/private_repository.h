#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/project.h"

// A repository for programs that work on a copy of a project and use git: HEAD, branches, tags and
// history are the project's, everything written is its own. Plain functions, safe from any thread;
// they write nothing of the user's.
namespace clever::git {

/// An `objects` folder of the project, which must be visible, read-only, under this name in the
/// repository's folder.
struct BorrowedObjects {
  std::string name;
  std::filesystem::path source;
};

[[nodiscard]] std::vector<BorrowedObjects> borrowed_objects(const Project& project);

/// Makes `folder` a repository (the content of a `.git`) with `head` as its HEAD: without remote,
/// hook, user settings, objects and index. Programs that work in it may write anything into it: git
/// is never run on it from outside.
base::Result<void> make_private_repository(const Project& project, const HeadState& head,
                                           const std::filesystem::path& folder,
                                           const base::StopToken& stop = {});

/// Writes an index that lists `tree`. `checkout` is a folder with the tree `shown`: for files that
/// are the same in both, the index gets their size and modification time, so that git need not read
/// them. For repositories of make_private_repository, which compare nothing else.
base::Result<void> write_index(ObjectStore& store, const ObjectId& tree, const ObjectId& shown,
                               const std::filesystem::path& checkout,
                               const std::filesystem::path& file, const base::StopToken& stop = {});

inline constexpr std::size_t kMostSubjects = 100;
/// The subjects of the commits between `base` and HEAD of such a repository, oldest first, at most
/// the newest kMostSubjects. Read without git and without trust: anything that is not a loose
/// commit ends the list.
[[nodiscard]] std::vector<std::string> commit_subjects(const std::filesystem::path& folder,
                                                       const ObjectId& base);

}  // namespace clever::git
