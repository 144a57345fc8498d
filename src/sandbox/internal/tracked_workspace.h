#pragma once
#include <functional>
#include <memory>

#include "base/monitor.h"
#include "base/result.h"
#include "sandbox/sandbox_records.h"
#include "sandbox/workspace.h"

namespace clever::sandbox::internal {

/// The record of one workspace, held by its owner. Thread-safe: changes are made one by one, each
/// on top of the one before.
class RecordKeeper {
 public:
  RecordKeeper(SandboxRecords& records, const WorkspaceRecord& record, storage::Lease lease);

  [[nodiscard]] WorkspaceRecord record() const;
  /// Durable when it returns; `conflict` if the workspace has another owner by now, or is no longer
  /// open. Does not write a change without effect.
  base::Result<void> change(const std::function<void(WorkspaceRecord&)>& change);
  base::Result<void> begin_removal();
  base::Result<void> forget() { return records_.forget(record().id); }

 private:
  struct State {
    WorkspaceRecord record;
    bool is_changing = false;
  };
  // Takes the record for an exclusive change; give_back() returns it.
  [[nodiscard]] WorkspaceRecord take_turn();
  void give_back(const WorkspaceRecord& record);

  SandboxRecords& records_;
  const storage::Lease lease_;
  base::Monitor<State> state_;
};

/// Wraps `inner` and keeps its record true: dirty from before a command begins until a checkpoint
/// has all its work.
[[nodiscard]] std::shared_ptr<Workspace> tracked(std::shared_ptr<Workspace> inner,
                                                 std::shared_ptr<RecordKeeper> keeper);

}  // namespace clever::sandbox::internal
