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
  kBranch,       // a commit on a new branch; the working tree stays as it is
};

/// A sealed changeset that was reviewed, and how it is to land. A value.
///
/// The project may be a group of repositories (git/project_group.h). The changes then land in all
/// of them or in none, also if the process is killed between two. Each repository gets its own
/// commit; one journal covers them all. All functions below take groups.
struct Request {
  git::Project project;
  std::shared_ptr<git::ObjectStore> store;
  model::PlanId plan;
  /// What was approved; must be digest_of(changes).
  base::Sha256Digest digest;
  std::vector<model::NetChange> changes;
  Mode mode = Mode::kCommit;
  std::string branch{};   // of Mode::kBranch
  std::string message{};  // the trailer Plan-Id is added
  /// The branch on which the plan began ("refs/heads/main"; empty: detached).
  std::string expected_branch{};
  /// For a group: the branch of each member, in their order.
  std::vector<std::string> expected_branches{};
  /// Uncommitted at the start of the plan (git::BaseSnapshot::uncommitted).
  std::vector<git::TreePath> uncommitted{};
  /// Where our own journals and locks are kept.
  std::filesystem::path state_folder;
  bool run_hooks = true;
};

/// One file that is not what the changeset was made from.
struct MovedOn {
  std::string path;
  std::string why;  // "changed since", "is gone", "was created meanwhile"
};

struct Outcome {
  enum class Kind : std::uint8_t {
    kApplied,
    kAlready,      // this digest of this plan landed before, and stands; nothing was done
    kConstrained,  // nothing was touched; `moved_on` or `reason` says why
  };
  Kind kind = Kind::kApplied;
  std::optional<git::ObjectId> commit{};
  /// Why there is no commit although one was asked for, or why it was constrained.
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

/// Lands it, wholly or not at all. When this says kApplied, no crash and no loss of power undoes
/// it.
///
/// An error means that the tree is as before, the user's saves in place. If a file was saved over
/// the plan's version, the message names it, and the name beside it that holds the file as it was
/// before. Safe to call from many
/// threads and processes: one project is changed by one at a time.
[[nodiscard]] base::Result<Outcome> apply(const Request& request, const base::StopToken& stop = {},
                                          base::Deadline deadline = base::Deadline::never());

/// How it landed (kAlready), if this digest of this plan did before and was not taken back since;
/// none otherwise. Nothing is touched and nothing is locked: to be asked after recover(), by who
/// drives the plan.
[[nodiscard]] base::Result<std::optional<Outcome>> landed(const Request& request);

/// Whether it would land now, found out by looking: nothing is touched and nothing is locked, so
/// that it may be otherwise a moment later.
struct Fit {
  std::vector<MovedOn> moved_on{};
  /// Why it cannot land although no file moved on; empty: it can.
  std::string refusal{};
};
[[nodiscard]] base::Result<Fit> look(const Request& request, const base::StopToken& stop = {},
                                     base::Deadline deadline = base::Deadline::never());

/// The inverse of what was applied, as a new commit (or in the working tree only, as it landed).
/// kConstrained if one of the files has changed since.
[[nodiscard]] base::Result<Outcome> undo(const Request& applied, const base::StopToken& stop = {},
                                         base::Deadline deadline = base::Deadline::never());

/// Ends what a killed apply left in this project, forward or back, whole. Called before anything
/// else touches the project; cheap when there is nothing. Says what it did; empty if there was
/// nothing.
[[nodiscard]] base::Result<std::string> recover(const git::Project& project,
                                                const std::filesystem::path& state_folder,
                                                const base::StopToken& stop = {},
                                                base::Deadline deadline = base::Deadline::never());

/// Whether an apply to any project is under way, or was interrupted. One look at a folder.
[[nodiscard]] bool has_unfinished(const std::filesystem::path& state_folder);

/// Like recover(), for commands that only look: does nothing while a living process applies to this
/// project.
[[nodiscard]] base::Result<std::string> recover_if_idle(const git::Project& project,
                                                        const std::filesystem::path& state_folder);

/// What pre-commit and commit-msg make of it, in a copy, before anything lands.
struct HookResult {
  bool passed = true;
  std::string output{};
  /// If the hooks changed files or the message: to be reviewed again.
  std::optional<std::vector<model::NetChange>> changed{};
  std::string message{};
};
[[nodiscard]] base::Result<HookResult> run_commit_hooks(const Request& request,
                                                        const confine::Launcher& launcher,
                                                        const base::StopToken& stop,
                                                        base::Deadline deadline);

}  // namespace clever::apply
