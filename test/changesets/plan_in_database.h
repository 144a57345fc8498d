#pragma once
// A plan in a real database, driven far enough that its work can record changes.
#include <memory>
#include <string>

#include "engine/stored_plans.h"
#include "engine/thread_scheduler.h"
#include "plan/decide.h"
#include "sim/engine/writer_kit.h"
#include "storage/keys.h"

namespace clever::test {

[[nodiscard]] inline model::ChangeEntry new_file(std::string path) {
  return {.path = std::move(path), .after = model::FileState{}};
}

/// The writer of whoever holds a plan's lease, and the context of its work. Its plan exists.
class PlanInDatabase {
 public:
  PlanInDatabase(storage::Engine& engine, base::Clock& clock, const storage::OwnerLock& owner,
                 base::UlidGenerator& ids, storage::Lease lease)
      : store_(engine, clock, owner),
        scheduler_(clock, {.strands = 2, .blocking = 2}),
        writer_(open(std::move(lease))),
        context_(ids, sim::writes_to(*writer_)) {}
  ~PlanInDatabase() {
    // A writer ends where its tasks run.
    (void)sim::await<void>([this](auto done) {
      (void)strand_->post([this, done = std::move(done)]() mutable {
        writer_.reset();
        done({});
      });
    });
  }
  PlanInDatabase(const PlanInDatabase&) = delete;
  PlanInDatabase& operator=(const PlanInDatabase&) = delete;

  [[nodiscard]] engine::PlanWriter& writer() { return *writer_; }
  [[nodiscard]] engine::PlanExecutionContext& context() { return context_; }

 private:
  std::unique_ptr<engine::PlanWriter> open(storage::Lease lease) {
    const storage::LoadedPlan loaded = store_.load(storage::plan_of(lease.name)).value();
    plan::State state = plan::fold(loaded.events).value();
    return std::make_unique<engine::PlanWriter>(store_, scheduler_, strand_, std::move(lease),
                                                loaded.state.head, std::move(state),
                                                engine::PlanWriter::Hooks{});
  }

  engine::StoredPlans store_;
  engine::ThreadScheduler scheduler_;
  const std::shared_ptr<base::Executor> strand_ = scheduler_.make_strand();
  std::unique_ptr<engine::PlanWriter> writer_;
  engine::PlanExecutionContext context_;
};

}  // namespace clever::test
