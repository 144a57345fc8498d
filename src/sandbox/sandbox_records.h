#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/id.h"
#include "storage/engine.h"
#include "storage/leases.h"
#include "storage/owner_lock.h"

namespace clever::sandbox {

using WorkspaceId = model::Id<struct WorkspaceTag>;

/// The life of a workspace:
///
///   open ── commit ──▶ committed ──┐
///     │                            ├── remove ──▶ removing ──▶ (no record)
///     └── a later epoch ─▶ quarantined ┘
///
/// No transition leads back, and only its owner at its epoch changes an open one.
enum class WorkspaceState : std::uint8_t { kOpen, kCommitted, kQuarantined, kRemoving };
[[nodiscard]] std::string_view to_string(WorkspaceState state) noexcept;

/// The record of a workspace. A value.
struct WorkspaceRecord {
  WorkspaceId id{};
  model::PlanId plan{};
  /// The epoch of the plan's lease when it was made.
  std::int64_t epoch = 0;
  storage::Owner owner{};
  WorkspaceState state = WorkspaceState::kOpen;
  /// Its folder may hold work that no checkpoint has.
  bool dirty = false;
  /// Trees, in hexadecimal: the first one, and the last durable one.
  std::string base{};
  std::string checkpoint{};
  /// Grows with every change; a change of another version is refused.
  std::int64_t version = 1;
  std::string reason{};

  friend bool operator==(const WorkspaceRecord&, const WorkspaceRecord&) = default;
};

/// The records of all workspaces. Thread-safe. Every change is compare-and-set: `conflict` if the
/// record changed since the caller read it, or the caller lost the lease.
class SandboxRecords {
 public:
  virtual ~SandboxRecords() = default;

  /// Durable before the folder is created. Quarantines the plan's open workspaces of earlier epochs
  /// in the same step.
  virtual base::Result<void> create(const WorkspaceRecord& record, const storage::Lease& lease) = 0;
  /// Updates state, dirt and checkpoint of `seen`, an open one; increments its version.
  virtual base::Result<void> change(const WorkspaceRecord& seen, const WorkspaceRecord& now,
                                    const storage::Lease& lease) = 0;
  /// Marks one without an owner; `conflict` if it changed since it was read.
  virtual base::Result<void> begin_removal(const WorkspaceRecord& seen) = 0;
  /// The last step of a removal. Succeeds if it is gone.
  virtual base::Result<void> forget(const WorkspaceId& id) = 0;

  /// In the order of creation.
  [[nodiscard]] virtual base::Result<std::vector<WorkspaceRecord>> list() = 0;
  /// Whether the plan exists and may still need its files: it is not final, or, if it
  /// `may_be_undone`, its apply was not undone.
  [[nodiscard]] virtual base::Result<bool> needs_files(const model::PlanId& plan,
                                                       bool may_be_undone) = 0;
  /// Whether a plan with a journal exists: then unsaved work of its command is either done again
  /// from the last checkpoint, or no longer wanted.
  [[nodiscard]] virtual base::Result<bool> is_plan(const model::PlanId& plan) = 0;
};

/// Stored in the database; engine and clock must outlive it.
[[nodiscard]] std::unique_ptr<SandboxRecords> stored_sandbox_records(storage::Engine& engine,
                                                                     base::Clock& clock);

}  // namespace clever::sandbox
