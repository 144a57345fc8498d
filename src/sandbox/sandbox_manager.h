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

/// A workspace and the right to it: of one owner, at one epoch of the plan's lease. Whatever is
/// written down about it is compare-and-set, so that somebody who lost the plan changes nothing.
///
/// Owned by who drives the plan; thread-safe. When it is let go its folder stays until remove() or
/// a cleanup: that it was not committed is no reason to throw work away.
class Sandbox {
 public:
  virtual ~Sandbox() = default;

  [[nodiscard]] virtual const WorkspaceId& id() const = 0;
  /// Its files. A command that begins marks the sandbox dirty, durably, before it runs; a
  /// checkpoint writes down the tree, and that everything is in it.
  [[nodiscard]] virtual const std::shared_ptr<Workspace>& workspace() const = 0;
  [[nodiscard]] virtual WorkspaceRecord record() const = 0;

  /// The result of the work, once and for all: takes a checkpoint and closes the sandbox with it.
  /// `conflict` if it was committed before, or the plan is somebody else's by now.
  virtual base::Result<git::ObjectId> commit(const base::StopToken& stop = {}) = 0;
  /// Throws folder and record away. What was checkpointed stays in the plan's store.
  virtual base::Result<void> remove() = 0;
};

/// Something in the folder of sandboxes that a run has left.
struct Leftover {
  enum class Kind : std::uint8_t { kWorkspace, kFolder, kPlanFiles };
  enum class Verdict : std::uint8_t {
    kRemove,  // nobody needs it
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
};

/// Who owns which workspace at which epoch, and where it lies:
///
///   FOLDER/PLAN/objects         the plan's private objects
///   FOLDER/PLAN/bases/TREE      a base that commands run on, checked out once
///   FOLDER/PLAN/workspaces/ID   one workspace, locked (flock) by whoever has it open
///   FOLDER/kept                 loose objects of projects, for all plans on them
///
/// A workspace's record is durable before its folder exists, and goes after it; so a folder without
/// a record is nobody's, and no crash hides one. Ids are never used again: the same workspace is
/// never handed out twice.
///
/// One per process, made by the composition root. Thread-safe. What it refers to must outlive it
/// and its sandboxes.
class SandboxManager {
 public:
  struct Options {
    std::filesystem::path folder;
    /// Names the database that the records are in: folders of another one are left alone.
    std::string database;
  };
  SandboxManager(Options options, SandboxRecords& records, const storage::OwnerLock& owner,
                 base::UlidGenerator& ids);

  /// CLEVERAGENTS_HOME, in which the folder lies.
  [[nodiscard]] std::filesystem::path home() const { return options_.folder.parent_path(); }

  /// The plan's objects, over those of the project and of the plans above it; opened once per
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
    /// Where the work goes on, if not at the base: the plan's last checkpoint.
    std::optional<git::ObjectId> start{};
    std::string excludes{};
    /// The plan at the top of its tree: checked-out bases lie in that one's folder, and are shared.
    /// None: the plan itself.
    model::PlanId root{};
  };
  /// A new workspace; what earlier epochs of the plan left open is quarantined. `conflict` if the
  /// lease is stale.
  base::Result<std::unique_ptr<Sandbox>> create(Request request);

  /// All that lies there and belongs to no one, and what would become of it. Looks only. What an
  /// undo needs belongs to nobody if nothing `may_be_undone` any more.
  [[nodiscard]] base::Result<std::vector<Leftover>> leftovers(const base::StopToken& stop = {},
                                                              bool may_be_undone = true);
  /// Removes one that may be removed, after looking again; `conflict` if it may not. A dirty one
  /// only with `discard`: as a person decided.
  base::Result<void> remove(const Leftover& leftover, bool discard = false);

 private:
  [[nodiscard]] std::filesystem::path plan_folder(const model::PlanId& plan) const;
  base::Result<void> mark_plan_folder(const model::PlanId& plan) const;
  [[nodiscard]] base::Result<Leftover> judge(const WorkspaceRecord& record) const;
  base::Result<void> remove_kept_objects() const;

  const Options options_;
  SandboxRecords& records_;
  const storage::OwnerLock& owner_;
  base::UlidGenerator& ids_;
  git::KeptObjects kept_;
  StoreCache stores_;
};

}  // namespace clever::sandbox
