#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/project.h"

// A repository for programs that work on a copy of a project and ask git: HEAD, branches, tags and
// history are those of the project, everything that is written its own. Plain functions, safe from
// any thread; nothing of the user's is written.
namespace clever::git {

/// An `objects` folder of the project, which must be seen, read-only, at this name in the
/// repository's folder.
struct BorrowedObjects {
  std::string name;
  std::filesystem::path source;
};

[[nodiscard]] std::vector<BorrowedObjects> borrowed_objects(const Project& project);

/// Makes `folder` a repository (what a `.git` is) with `head` as its HEAD: no remote, no hook, no
/// setting of the user's, and neither an object nor an index of its own yet. Those who work in it
/// may write whatever they like into it: git, outside, is never run on it.
base::Result<void> make_private_repository(const Project& project, const HeadState& head,
                                           const std::filesystem::path& folder,
                                           const base::StopToken& stop = {});

/// Writes an index that lists `tree`. `checkout` is a folder that holds the tree `shown`: of a file
/// that is the same in both, the index has the size and time of change, so that git need not read
/// it. For repositories of make_private_repository, which compare nothing else.
base::Result<void> write_index(ObjectStore& store, const ObjectId& tree, const ObjectId& shown,
                               const std::filesystem::path& checkout,
                               const std::filesystem::path& file, const base::StopToken& stop = {});

inline constexpr std::size_t kMostSubjects = 100;
/// The subjects of the commits between `base` and HEAD of such a repository, oldest first, at most
/// kMostSubjects; the newest ones, if there are more. Read without git and without trust: what is
/// no loose commit ends the list.
[[nodiscard]] std::vector<std::string> commit_subjects(const std::filesystem::path& folder,
                                                       const ObjectId& base);

}  // namespace clever::git
