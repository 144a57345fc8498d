#pragma once
#include <filesystem>

#include "base/guarded.h"
#include "storage/internal/queued_engine.h"

// For tests only.
namespace clever::storage::internal {

/// A queue whose writer counts the units. The test runs the writer on a thread of its own.
class TestQueuedEngine : public QueuedEngine {
 public:
  explicit TestQueuedEngine(CommitQueue::Limits limits = {}) : QueuedEngine(limits) {}

  /// Does what an engine's writer does.
  void write_until_closed() {
    while (queue().wait({}).ok()) {
      for (auto& pending : queue().take(16, 1'000'000)) {
        written_.with([](int& count) { ++count; });
        pending.done(Receipt{});
        notifications().publish(pending.unit.topics());
      }
    }
  }
  void close() { queue().close(); }
  [[nodiscard]] int written() const {
    return written_.with([](int count) { return count; });
  }

  /// A commit that may be stopped.
  virtual base::Result<Receipt> hurried_commit(UnitOfWork unit, const base::StopToken& stop,
                                               base::Deadline deadline) {
    return commit(std::move(unit), stop, deadline);
  }

  base::Result<void> read(const Read& /*read*/, const base::StopToken& /*stop*/,
                          base::Deadline /*deadline*/) override {
    return nothing();
  }
  base::Result<EngineFacts> facts() override { return nothing(); }
  base::Result<void> check_integrity(const Progress& /*progress*/,
                                     const base::StopToken& /*stop*/) override {
    return nothing();
  }
  base::Result<void> backup(const std::filesystem::path& /*target*/, const Progress& /*progress*/,
                            const base::StopToken& /*stop*/) override {
    return nothing();
  }
  base::Result<void> vacuum(const Progress& /*progress*/,
                            const base::StopToken& /*stop*/) override {
    return nothing();
  }

 private:
  static base::Error nothing() { return base::unavailable("there is no database"); }

  base::Guarded<int> written_;
};

}  // namespace clever::storage::internal
