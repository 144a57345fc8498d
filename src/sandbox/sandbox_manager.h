#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "base/ulid.h"
#include "git/kept_objects.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/snapshot.h"
#include "io/file_lock.h"
#include "sandbox/sandbox_records.h"
#include "sandbox/store_cache.h"
#include "sandbox/workspace.h"
#include "storage/leases.h"
#include "storage/owner_lock.h"

namespace clever::sandbox {

namespace internal {
class RecordKeeper;
}  // namespace internal

/// A workspace and the right to it: of one owner, at one epoch of the plan's lease. Every change of
/// its record is compare-and-set, so an owner that lost the plan changes nothing.
///
/// Owned by the plan's driver; thread-safe. After its destruction the folder stays until remove()
/// or a cleanup: uncommitted work is never deleted for that reason.
class Sandbox {
 public:
  /// `subplan`: the plan's folder if it has nothing else in it, otherwise empty.
  Sandbox(std::shared_ptr<internal::RecordKeeper> keeper, std::shared_ptr<Workspace> inner,
          std::filesystem::path folder, std::filesystem::path subplan, io::FileLock lock);

  [[nodiscard]] const WorkspaceId& id() const { return id_; }
  /// Its files. A command marks the sandbox dirty, durably, before it runs; a checkpoint records
  /// the tree, and clears the mark.
  [[nodiscard]] const std::shared_ptr<Workspace>& workspace() const { return workspace_; }
  [[nodiscard]] WorkspaceRecord record() const;

  /// The final result of the work: takes a checkpoint and closes the sandbox with it. `conflict` if
  /// it was committed before, or another process owns the plan by now.
  base::Result<git::ObjectId> commit(const base::StopToken& stop = {});
  /// Deletes folder and record. Checkpoints stay in the plan's store.
  base::Result<void> remove();

 private:
  const std::shared_ptr<internal::RecordKeeper> keeper_;
  const std::shared_ptr<Workspace> workspace_;
  const std::filesystem::path folder_;
  const std::filesystem::path subplan_;
  const WorkspaceId id_;
  const io::FileLock lock_;  // held to show that the sandbox is in use
};

/// An entry of the sandbox folder that an earlier run left.
struct Leftover {
  enum class Kind : std::uint8_t { kWorkspace, kFolder, kPlanFiles, kBase };
  enum class Verdict : std::uint8_t {
    kRemove,  // no longer needed
    kLive,    // its owner is alive, or may be
    kDirty,   // holds work that no checkpoint has: a person decides
  };
  Kind kind = Kind::kWorkspace;
  Verdict verdict = Verdict::kRemove;
  /// The workspace's or plan's id, or the folder's name.
  std::string name{};
  model::PlanId plan{};
  std::string why{};
  std::filesystem::path folder{};
  std::optional<WorkspaceRecord> record{};
  /// When a base was last used, in nanoseconds since 1970.
  std::int64_t used_at = 0;
};

/// Owners, epochs and locations of workspaces:
///
///   FOLDER/PLAN/objects         the plan's private objects
///   FOLDER/PLAN/workspaces/ID   one workspace, locked (flock) while it is open
///   FOLDER/bases/PROJECT/…      what commands run on, checked out once for all plans of a project
///   FOLDER/kept                 loose objects of projects, for all their plans
///
/// A workspace's record is durable before its folder exists, and deleted after it; so a folder
/// without a record is garbage, and no crash hides one. Ids are never reused, so a workspace is
/// never handed out twice.
///
/// One per process, made by the composition root. Thread-safe. Its references must outlive it and
/// its sandboxes.
class SandboxManager {
 public:
  struct Options {
    std::filesystem::path folder;
    /// Names the database of the records: folders of another database are left alone.
    std::string database;
  };
  SandboxManager(Options options, SandboxRecords& records, const storage::OwnerLock& owner,
                 base::UlidGenerator& ids);

  /// CLEVERAGENTS_HOME, the parent of the folder.
  [[nodiscard]] std::filesystem::path home() const { return options_.folder.parent_path(); }

  /// The plan's objects, on top of those of the project and of the plans above it; opened once per
  /// process.
  base::Result<std::shared_ptr<git::ObjectStore>> store(
      const model::PlanId& plan, const git::Project& project,
      std::vector<std::shared_ptr<git::ObjectStore>> parents = {});

  struct Request {
    model::PlanId plan;
    storage::Lease lease;
    git::Project project;
    std::shared_ptr<git::ObjectStore> store;
    std::shared_ptr<const git::BaseSnapshot> base;
    /// Where the work continues, if not at the base: the plan's last checkpoint.
    std::optional<git::ObjectId> start{};
    std::string excludes{};
    /// The root plan. None: the plan itself.
    model::PlanId root{};
  };
  /// A new workspace; quarantines open ones of earlier epochs. `conflict` if the lease is stale.
  base::Result<std::unique_ptr<Sandbox>> create(Request request);

  /// All unowned entries of the folder, and what a cleanup would do with them. Read-only. Files
  /// that only an undo needs count as unowned if nothing `may_be_undone` any more.
  [[nodiscard]] base::Result<std::vector<Leftover>> leftovers(const base::StopToken& stop = {},
                                                              bool may_be_undone = true);
  /// Removes an entry after checking it again; `conflict` if it may not be removed. A dirty one
  /// only with `discard`, which a person decided.
  base::Result<void> remove(const Leftover& leftover, bool discard = false);

 private:
  [[nodiscard]] std::filesystem::path plan_folder(const model::PlanId& plan) const;
  base::Result<void> mark_plan_folder(const model::PlanId& plan) const;
  [[nodiscard]] base::Result<Leftover> judge(const WorkspaceRecord& record) const;
  base::Result<void> remove_kept_objects() const;
  [[nodiscard]] base::Result<void> add_unused_bases(std::vector<Leftover>& found) const;

  const Options options_;
  SandboxRecords& records_;
  const storage::OwnerLock& owner_;
  base::UlidGenerator& ids_;
  git::KeptObjects kept_;
  StoreCache stores_;
};

}  // namespace clever::sandbox
