#pragma once
#include "storage/engine.h"
#include "storage/internal/commit_queue.h"
#include "storage/internal/notifications.h"

namespace clever::storage::internal {

/// The common part of both engines: units wait in a queue for the engine's writers, and subscribers
/// are notified after the commit. Thread-safe.
///
/// A derived engine runs its writers in threads of its own, declared last, which take from queue()
/// until it is closed and empty: an accepted unit always gets an answer.
class QueuedEngine : public Engine {
 public:
  void submit(UnitOfWork unit, Done done) final;
  void submit_along(UnitOfWork unit) final;
  base::Result<Receipt> commit(UnitOfWork unit, const base::StopToken& stop,
                               base::Deadline deadline) final;
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic,
                                                        std::function<void()> wake) override;

 protected:
  explicit QueuedEngine(CommitQueue::Limits limits = {}) : queue_(limits) {}

  /// Queues the unit and waits for the outcome as commit() does. Sets `done` itself.
  base::Result<Receipt> settle(Pending pending, const base::StopToken& stop,
                               base::Deadline deadline);
  CommitQueue& queue() { return queue_; }
  Notifications& notifications() { return notifications_; }

 private:
  CommitQueue queue_;
  Notifications notifications_;
};

}  // namespace clever::storage::internal
