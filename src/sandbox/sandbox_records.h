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

/// Where a workspace is in its life:
///
///   open ── commit ──▶ committed ──┐
///     │                            ├── remove ──▶ removing ──▶ (no record)
///     └── a later epoch ─▶ quarantined ┘
///
/// No way leads back, and only its owner at its epoch moves an open one on.
enum class WorkspaceState : std::uint8_t { kOpen, kCommitted, kQuarantined, kRemoving };
[[nodiscard]] std::string_view to_string(WorkspaceState state) noexcept;

/// What is written down about a workspace. A value.
struct WorkspaceRecord {
  WorkspaceId id{};
  model::PlanId plan{};
  /// Of the plan's lease under which it was made.
  std::int64_t epoch = 0;
  storage::Owner owner{};
  WorkspaceState state = WorkspaceState::kOpen;
  /// Its folder may hold work that no checkpoint has.
  bool dirty = false;
  /// Trees, in hexadecimal: what it began with, and the last one that is durable.
  std::string base{};
  std::string checkpoint{};
  /// Grows with every change; a change that names another is refused.
  std::int64_t version = 1;
  std::string reason{};

  friend bool operator==(const WorkspaceRecord&, const WorkspaceRecord&) = default;
};

/// The records of all workspaces. Thread-safe. Every change is compare-and-set: `conflict` if the
/// record is no longer what the caller last saw, or if the lease is no longer the caller's.
class SandboxRecords {
 public:
  virtual ~SandboxRecords() = default;

  /// Durable before the folder is made. What earlier epochs of the plan left open is quarantined in
  /// the same step.
  virtual base::Result<void> create(const WorkspaceRecord& record, const storage::Lease& lease) = 0;
  /// The new state, dirt and checkpoint of `seen`, an open one; its version grows.
  virtual base::Result<void> change(const WorkspaceRecord& seen, const WorkspaceRecord& now,
                                    const storage::Lease& lease) = 0;
  /// Marks one that nobody works with any more; `conflict` if it changed since it was seen.
  virtual base::Result<void> begin_removal(const WorkspaceRecord& seen) = 0;
  /// The last step of a removal. Fine if it is gone.
  virtual base::Result<void> forget(const WorkspaceId& id) = 0;

  /// In the order in which they were made.
  [[nodiscard]] virtual base::Result<std::vector<WorkspaceRecord>> list() = 0;
  /// Whether the plan is known and may still need its files: it goes on, or, if it
  /// `may_be_undone`, what it applied was not taken back.
  [[nodiscard]] virtual base::Result<bool> needs_files(const model::PlanId& plan,
                                                       bool may_be_undone) = 0;
  /// Whether there is a plan with a journal: what a command of it left is done again from the last
  /// checkpoint, or no longer wanted.
  [[nodiscard]] virtual base::Result<bool> is_plan(const model::PlanId& plan) = 0;
};

/// In the database; engine and clock must outlive it.
[[nodiscard]] std::unique_ptr<SandboxRecords> stored_sandbox_records(storage::Engine& engine,
                                                                     base::Clock& clock);

}  // namespace clever::sandbox
