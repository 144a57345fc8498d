#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/snapshot.h"
#include "model/change.h"

namespace clever::apply {

enum class Mode : std::uint8_t {
  kCommit,       // one commit on the current branch
  kWorkingTree,  // files only
  kBranch,       // a commit on a new branch; the working tree stays unchanged
};

/// A sealed, reviewed changeset, and how to land it. A value.
///
/// The project may be a group of repositories (git/project_group.h). The changes then land in all
/// of them or in none, even if the process is killed between two. Each repository gets its own
/// commit; one journal covers them all. All functions below take groups.
struct Request {
  git::Project project;
  std::shared_ptr<git::ObjectStore> store;
  model::PlanId plan;
  /// The approved digest; must be digest_of(changes).
  base::Sha256Digest digest;
  std::vector<model::NetChange> changes;
  Mode mode = Mode::kCommit;
  std::string branch{};   // for Mode::kBranch
  std::string message{};  // the trailer Plan-Id is added
  /// The branch on which the plan began ("refs/heads/main"; empty: detached).
  std::string expected_branch{};
  /// For a group: the branch of each member, in their order.
  std::vector<std::string> expected_branches{};
  /// Uncommitted at the start of the plan (git::BaseSnapshot::uncommitted).
  std::vector<git::TreePath> uncommitted{};
  /// The folder of our own journals and locks.
  std::filesystem::path state_folder;
  bool run_hooks = true;
};

/// A file that differs from the changeset's base.
struct MovedOn {
  std::string path;
  std::string why;  // "changed since", "is gone", "was created meanwhile"
};

struct Outcome {
  enum class Kind : std::uint8_t {
    kApplied,
    kAlready,      // this digest of this plan landed before, and stands; nothing was done
    kConstrained,  // nothing was changed; `moved_on` or `reason` says why
  };
  Kind kind = Kind::kApplied;
  std::optional<git::ObjectId> commit{};
  /// Why a requested commit was not made, or why it was constrained.
  std::string reason{};
  std::vector<MovedOn> moved_on{};
  std::vector<std::string> files{};
  /// For a group: the commit in each project that the changes concern; `commit` is empty then.
  struct Landed {
    std::string project;  // its name
    std::optional<git::ObjectId> commit{};
  };
  std::vector<Landed> projects{};
};

/// Lands the changeset completely or not at all. After kApplied, no crash and no loss of power
/// undoes it.
///
/// After an error the tree is as before, and the user's saves are in place. If a file was saved
/// over the plan's version, the message names it, and the name beside it that has the file as it
/// was before. Safe to call from many threads and processes: changes of a project run one at a
/// time.
[[nodiscard]] base::Result<Outcome> apply(const Request& request, const base::StopToken& stop = {},
                                          base::Deadline deadline = base::Deadline::never());

/// How it landed (kAlready), if this digest of this plan did and was not undone since; none
/// otherwise. Changes and locks nothing: the plan's driver calls it after recover().
[[nodiscard]] base::Result<std::optional<Outcome>> landed(const Request& request);

/// Whether it would land now. Changes and locks nothing, so it may be different a moment later.
struct Fit {
  std::vector<MovedOn> moved_on{};
  /// Why it cannot land although no file changed; empty: it can.
  std::string refusal{};
};
[[nodiscard]] base::Result<Fit> look(const Request& request, const base::StopToken& stop = {},
                                     base::Deadline deadline = base::Deadline::never());

/// Undoes an apply by a new commit (or in the working tree only, as it landed). kConstrained if one
/// of the files has changed since.
[[nodiscard]] base::Result<Outcome> undo(const Request& applied, const base::StopToken& stop = {},
                                         base::Deadline deadline = base::Deadline::never());

/// Completes what a killed apply left in this project, forward or back. Called before any other
/// access to the project; cheap if there is nothing. Returns what it did; empty if there was
/// nothing.
[[nodiscard]] base::Result<std::string> recover(const git::Project& project,
                                                const std::filesystem::path& state_folder,
                                                const base::StopToken& stop = {},
                                                base::Deadline deadline = base::Deadline::never());

/// Whether an apply to any project is in progress, or was interrupted. One look at a folder.
[[nodiscard]] bool has_unfinished(const std::filesystem::path& state_folder);

/// Like recover(), for read-only commands: does nothing while a living process applies to this
/// project.
[[nodiscard]] base::Result<std::string> recover_if_idle(const git::Project& project,
                                                        const std::filesystem::path& state_folder);

/// The result of pre-commit and commit-msg, in a copy, before anything lands.
struct HookResult {
  bool passed = true;
  std::string output{};
  /// Set if the hooks changed files or the message: review again.
  std::optional<std::vector<model::NetChange>> changed{};
  std::string message{};
};
[[nodiscard]] base::Result<HookResult> run_commit_hooks(const Request& request,
                                                        const confine::Launcher& launcher,
                                                        const base::StopToken& stop,
                                                        base::Deadline deadline);

}  // namespace clever::apply
