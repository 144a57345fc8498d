#pragma once
#include <functional>
#include <memory>

#include "base/monitor.h"
#include "base/result.h"
#include "sandbox/sandbox_records.h"
#include "sandbox/workspace.h"

namespace clever::sandbox::internal {

/// The record of one workspace, as its owner knows it. Thread-safe: changes are made one after
/// another, each from the record that the one before it left.
class RecordKeeper {
 public:
  RecordKeeper(SandboxRecords& records, const WorkspaceRecord& record, storage::Lease lease);

  [[nodiscard]] WorkspaceRecord record() const;
  /// Durable when it returns; `conflict` if the workspace is no longer ours, or no longer open. A
  /// change that changes nothing is not written.
  base::Result<void> change(const std::function<void(WorkspaceRecord&)>& change);
  base::Result<void> begin_removal();
  base::Result<void> forget() { return records_.forget(record().id); }

 private:
  struct State {
    WorkspaceRecord record;
    bool is_changing = false;
  };
  // The record, for the one caller that may change it now; give_back() ends that.
  [[nodiscard]] WorkspaceRecord take_turn();
  void give_back(const WorkspaceRecord& record);

  SandboxRecords& records_;
  const storage::Lease lease_;
  base::Monitor<State> state_;
};

/// `inner`, with its record kept true: dirty from before a command begins until a checkpoint has
/// all that it did.
[[nodiscard]] std::shared_ptr<Workspace> tracked(std::shared_ptr<Workspace> inner,
                                                 std::shared_ptr<RecordKeeper> keeper);

}  // namespace clever::sandbox::internal
