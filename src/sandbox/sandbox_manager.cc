#include "sandbox/sandbox_manager.h"

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "io/directory.h"
#include "io/file.h"
#include "sandbox/internal/tracked_workspace.h"
#include "sandbox/workspace/internal/checkout.h"

namespace clever::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "database";
constexpr std::string_view kObjects = "objects";
constexpr std::string_view kBases = "bases";
constexpr std::string_view kWork = "workspaces";
constexpr std::string_view kLock = "lock";
constexpr std::string_view kUsers = "users";
constexpr std::string_view kKept = "kept";
constexpr std::size_t kProjectLength = 16;

// Removes workspaces first: while one is left, the folder and its mark stay. A later cleanup finds
// what cannot be removed now.
void remove_empty_plan(const fs::path& folder) {
  const auto plan = io::Directory::open(folder);
  bool is_bare = plan.ok();
  const auto look = [&](std::string_view name, io::EntryFacts::Kind) {
    is_bare = name == kWork || name == kUsers || name == kMark;
    return is_bare;
  };
  if (!is_bare || !plan->list("", look).ok() || !is_bare) return;
  if (!plan->remove_directory(kWork).ok()) return;
  if (!plan->remove_directory(kUsers).ok() || !plan->remove_file(kMark).ok()) return;
  const auto above = io::Directory::open(folder.parent_path());
  if (above.ok()) (void)above->remove_directory(folder.filename().string());
}

// Marks the plan's folder as in use for the life of the store.
base::Result<std::shared_ptr<git::ObjectStore>> with_lock(std::shared_ptr<git::ObjectStore> store,
                                                          io::FileLock lock) {
  struct Held {
    std::shared_ptr<git::ObjectStore> store;
    io::FileLock lock;
  };
  const auto held = std::make_shared<Held>(Held{std::move(store), std::move(lock)});
  return std::shared_ptr<git::ObjectStore>(held, held->store.get());
}

base::Result<std::vector<std::string>> folders_in(const fs::path& path) {
  std::vector<std::string> names;
  if (io::file_kind(path) != io::FileKind::kDirectory) return names;
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(path));
  CLEVER_TRY(folder.list("", [&](std::string_view name, io::EntryFacts::Kind kind) {
    if (kind == io::EntryFacts::Kind::kDirectory) names.emplace_back(name);
    return true;
  }));
  std::ranges::sort(names);
  return names;
}

// Returns whether a process holds one of the lock files in the folder.
base::Result<bool> any_lock_held(const fs::path& path) {
  bool held = false;
  if (io::file_kind(path) != io::FileKind::kDirectory) return held;
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(path));
  CLEVER_TRY(folder.list("", [&](std::string_view name, io::EntryFacts::Kind) {
    held = io::FileLock::is_held(path / name).value_or(true);
    return !held;
  }));
  return held;
}

base::Result<bool> is_locked(const fs::path& folder) {
  const auto held = io::FileLock::is_held(folder / kLock);
  if (held.ok()) return *held;
  if (held.error().code() == base::ErrorCode::kNotFound) return false;
  return held.error();
}

base::Error not_removable(const Leftover& leftover) {
  return base::conflict(leftover.name + " is kept: " + leftover.why);
}

}  // namespace

Sandbox::Sandbox(std::shared_ptr<internal::RecordKeeper> keeper, std::shared_ptr<Workspace> inner,
                 fs::path folder, fs::path subplan, io::FileLock lock)
    : keeper_(std::move(keeper)),
      workspace_(internal::tracked(std::move(inner), keeper_)),
      folder_(std::move(folder)),
      subplan_(std::move(subplan)),
      id_(keeper_->record().id),
      lock_(std::move(lock)) {}

WorkspaceRecord Sandbox::record() const { return keeper_->record(); }

base::Result<git::ObjectId> Sandbox::commit(const base::StopToken& stop) {
  CLEVER_ASSIGN(const git::ObjectId tree, workspace_->checkpoint(stop));
  CLEVER_TRY(keeper_->change([&](WorkspaceRecord& record) {
    record.state = WorkspaceState::kCommitted;
    record.checkpoint = tree.to_hex();
    record.dirty = false;
  }));
  return tree;
}

base::Result<void> Sandbox::remove() {
  CLEVER_TRY(keeper_->begin_removal());
  CLEVER_ASSIGN(const io::Directory work, io::Directory::open(folder_.parent_path()));
  CLEVER_TRY(work.remove_all(folder_.filename().string()));
  if (!subplan_.empty()) remove_empty_plan(subplan_);
  return keeper_->forget();
}

SandboxManager::SandboxManager(Options options, SandboxRecords& records,
                               const storage::OwnerLock& owner, base::UlidGenerator& ids)
    : options_(std::move(options)),
      records_(records),
      owner_(owner),
      ids_(ids),
      kept_(options_.folder / kKept) {}

fs::path SandboxManager::plan_folder(const model::PlanId& plan) const {
  return options_.folder / plan.to_string();
}

// The mark, which names the owning database, is the first file in the folder.
base::Result<void> SandboxManager::mark_plan_folder(const model::PlanId& plan) const {
  const fs::path folder = plan_folder(plan);
  CLEVER_TRY(io::make_directories(folder / kUsers));
  const auto mark = io::read_file(folder / kMark);
  if (mark.ok() && *mark == options_.database) return {};
  if (mark.ok()) {
    return base::conflict(folder.string() + " belongs to another database (" + *mark + ")");
  }
  return io::write_file_atomically(folder / kMark, options_.database);
}

base::Result<std::shared_ptr<git::ObjectStore>> SandboxManager::store(
    const model::PlanId& plan, const git::Project& project,
    std::vector<std::shared_ptr<git::ObjectStore>> parents) {
  return stores_.open(plan, [&]() -> base::Result<std::shared_ptr<git::ObjectStore>> {
    CLEVER_TRY(mark_plan_folder(plan));
    const fs::path folder = plan_folder(plan);
    const std::string user = ids_.next().to_string();
    CLEVER_ASSIGN(io::FileLock lock, io::FileLock::try_acquire(folder / kUsers / user));
    std::vector<fs::path> borrowed = project.object_folders;
    borrowed.push_back(kept_.keep(project.object_folders));
    CLEVER_ASSIGN(auto opened, git::ObjectStore::open({.folder = folder / kObjects,
                                                       .borrowed = std::move(borrowed),
                                                       .parents = std::move(parents),
                                                       .keep_loose = false}));
    return with_lock(std::move(opened), std::move(lock));
  });
}

base::Result<std::unique_ptr<Sandbox>> SandboxManager::create(Request request) {
  const git::ObjectId start = request.start.value_or(request.base->tree);
  // The plan's lease records its home.
  const storage::Owner& owner = owner_.owner();
  const WorkspaceRecord record{.id = WorkspaceId(ids_.next()),
                               .plan = request.plan,
                               .epoch = request.lease.epoch,
                               .owner = {owner.id, owner.host, owner.boot},
                               .base = request.base->tree.to_hex(),
                               .checkpoint = start.to_hex()};
  CLEVER_TRY(mark_plan_folder(request.plan));
  CLEVER_TRY(records_.create(record, request.lease));
  const fs::path plan = plan_folder(request.plan);
  const bool is_subplan = request.root && request.root != request.plan;
  const std::string project = base::sha256(request.project.root.string()).to_hex();
  const fs::path folder = plan / kWork / record.id.to_string();
  CLEVER_TRY(io::make_directories(folder));
  // Repeated, because the folder may have been removed as empty meanwhile.
  CLEVER_TRY(mark_plan_folder(request.plan));
  CLEVER_ASSIGN(io::FileLock lock, io::FileLock::try_acquire(folder / kLock));
  CLEVER_ASSIGN(auto workspace,
                Workspace::open(
                    {.store = std::move(request.store),
                     .base = std::move(request.base),
                     .start = start,
                     .project_root = request.project.root,
                     .project = std::make_shared<const git::Project>(request.project),
                     .folder = folder / "files",
                     .shared_folder = options_.folder / kBases / project.substr(0, kProjectLength),
                     .excludes = std::move(request.excludes),
                     .secrets = request.project.secrets}));
  auto keeper = std::make_shared<internal::RecordKeeper>(records_, record, request.lease);
  return std::unique_ptr<Sandbox>(std::make_unique<Sandbox>(std::move(keeper), std::move(workspace),
                                                            folder, is_subplan ? plan : fs::path(),
                                                            std::move(lock)));
}

base::Result<Leftover> SandboxManager::judge(const WorkspaceRecord& record) const {
  using Life = storage::OwnerLock::Life;
  using Verdict = Leftover::Verdict;
  const std::string name = record.id.to_string();
  Leftover leftover{.name = name,
                    .plan = record.plan,
                    .folder = plan_folder(record.plan) / kWork / name,
                    .record = record};
  const auto say = [&](Verdict verdict, std::string why) {
    leftover.verdict = verdict;
    leftover.why = std::move(why);
    return leftover;
  };
  CLEVER_ASSIGN(const Life life, owner_.probe(record.owner));
  if (life == Life::kAlive) return say(Verdict::kLive, "its process is running");
  if (life == Life::kUnknown) {
    return say(Verdict::kLive, "it belongs to host " + record.owner.host);
  }
  CLEVER_ASSIGN(const bool locked, is_locked(leftover.folder));
  if (locked) return say(Verdict::kLive, "a process has it open");
  if (record.dirty && record.state != WorkspaceState::kRemoving) {
    CLEVER_ASSIGN(const bool of_plan, records_.is_plan(record.plan));
    if (of_plan) return say(Verdict::kRemove, "its plan continues from the last checkpoint");
    return say(Verdict::kDirty, "contains a command's work that no checkpoint has");
  }
  return say(Verdict::kRemove, "its process is gone and all its work is checkpointed (" +
                                   std::string(to_string(record.state)) + ")");
}

base::Result<std::vector<Leftover>> SandboxManager::leftovers(const base::StopToken& stop,
                                                              bool may_be_undone) {
  // Lists folders before records: a record is written before its folder, so a folder without a
  // record is not a new one.
  struct PlanFolder {
    model::PlanId plan;
    std::vector<std::string> workspaces;
  };
  std::vector<PlanFolder> plans;
  CLEVER_ASSIGN(const auto names, folders_in(options_.folder));
  for (const std::string& name : names) {
    const auto plan = model::PlanId::parse(name);
    const auto mark = io::read_file(options_.folder / name / kMark);
    if (!plan.ok() || !mark.ok() || *mark != options_.database) continue;
    CLEVER_ASSIGN(auto workspaces, folders_in(options_.folder / name / kWork));
    plans.push_back({*plan, std::move(workspaces)});
  }
  CLEVER_ASSIGN(const auto records, records_.list());
  std::vector<Leftover> found;
  std::set<std::string> recorded;
  std::set<model::PlanId> in_use;
  for (const WorkspaceRecord& record : records) {
    if (stop.stop_requested()) return base::cancelled("stopped while looking for leftovers");
    recorded.insert(record.id.to_string());
    CLEVER_ASSIGN(Leftover leftover, judge(record));
    if (leftover.verdict != Leftover::Verdict::kRemove) in_use.insert(record.plan);
    found.push_back(std::move(leftover));
  }
  for (const PlanFolder& plan : plans) {
    const fs::path folder = plan_folder(plan.plan);
    for (const std::string& name : plan.workspaces) {
      if (recorded.contains(name)) continue;
      Leftover leftover{.kind = Leftover::Kind::kFolder,
                        .name = name,
                        .plan = plan.plan,
                        .why = "no record describes it",
                        .folder = folder / kWork / name};
      CLEVER_ASSIGN(const bool locked, is_locked(leftover.folder));
      if (locked) {
        leftover.verdict = Leftover::Verdict::kLive;
        leftover.why = "a process has it open";
        in_use.insert(plan.plan);
      }
      found.push_back(std::move(leftover));
    }
    CLEVER_ASSIGN(const bool needed, records_.needs_files(plan.plan, may_be_undone));
    CLEVER_ASSIGN(const bool open, any_lock_held(folder / kUsers));
    if (needed || open || in_use.contains(plan.plan)) continue;
    found.push_back({.kind = Leftover::Kind::kPlanFiles,
                     .name = plan.plan.to_string(),
                     .plan = plan.plan,
                     .why = "its plan has ended or is unknown",
                     .folder = folder});
  }
  CLEVER_TRY(add_unused_bases(found));
  return found;
}

base::Result<void> SandboxManager::add_unused_bases(std::vector<Leftover>& found) const {
  const fs::path bases = options_.folder / kBases;
  CLEVER_ASSIGN(const auto projects, folders_in(bases));
  for (const std::string& project : projects) {
    for (const std::string& name : internal::checkouts_in(bases / project)) {
      if (internal::is_checkout_used(bases / project / name)) continue;
      found.push_back({.kind = Leftover::Kind::kBase,
                       .name = name,
                       .why = "no plan works on it",
                       .folder = bases / project / name,
                       .used_at = internal::checkout_used_at(bases / project / name)});
    }
  }
  return {};
}

base::Result<void> SandboxManager::remove(const Leftover& leftover, bool discard) {
  using Verdict = Leftover::Verdict;
  if (leftover.kind == Leftover::Kind::kBase) return internal::remove_checkout(leftover.folder);
  Leftover now = leftover;
  if (leftover.record) {
    CLEVER_ASSIGN(now, judge(*leftover.record));
  } else {
    CLEVER_ASSIGN(const bool locked, leftover.kind == Leftover::Kind::kPlanFiles
                                         ? any_lock_held(leftover.folder / kUsers)
                                         : is_locked(leftover.folder));
    if (locked) now.verdict = Verdict::kLive;
  }
  if (now.verdict == Verdict::kLive) return not_removable(now);
  if (now.verdict == Verdict::kDirty && !discard) return not_removable(now);
  if (now.record && now.record->state != WorkspaceState::kRemoving) {
    CLEVER_TRY(records_.begin_removal(*now.record));
  }
  if (io::file_kind(now.folder.parent_path()) == io::FileKind::kDirectory) {
    CLEVER_ASSIGN(const io::Directory parent, io::Directory::open(now.folder.parent_path()));
    CLEVER_TRY(parent.remove_all(now.folder.filename().string()));
  }
  if (now.record) return records_.forget(now.record->id);
  return remove_kept_objects();
}

// Kept objects serve plans with files, and go with the last of those.
base::Result<void> SandboxManager::remove_kept_objects() const {
  CLEVER_ASSIGN(auto names, folders_in(options_.folder));
  std::erase(names, kBases);
  if (names != std::vector<std::string>{std::string(kKept)}) return {};
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(options_.folder));
  return folder.remove_all(std::string(kKept));
}

}  // namespace clever::sandbox
