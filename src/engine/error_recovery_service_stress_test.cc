#include <gtest/gtest.h>

#include "base/atomic.h"
#include "engine/error_recovery_service.h"
#include "sim/engine/engine_kit.h"
#include "support/together.h"

namespace clever::engine {
namespace {

// A plan in a real database, and the writer of whoever holds its lease.
class Plan {
 public:
  Plan() : lease_(store_.acquire(plan).value()), writer_(open()) {
    if (!writer_->state()->exists()) writer_->execute({sim::new_plan()}).value();
  }
  ~Plan() { writer_.reset(); }

  [[nodiscard]] PlanWriter& writer() { return *writer_; }
  [[nodiscard]] PlanStore& store() { return store_; }

  const model::PlanId plan = sim::plan_id(1);

 private:
  std::unique_ptr<PlanWriter> open() {
    plan::State none;
    none.id = plan;
    return std::make_unique<PlanWriter>(store_, scheduler_, scheduler_.make_strand(), lease_,
                                        storage::Head{}, std::move(none), PlanWriter::Hooks{});
  }

  sim::EngineGround ground_;
  const storage::OwnerLock owner_ = storage::OwnerLock::acquire(ground_.folder.path() / "owners",
                                                                model::OwnerId(ground_.ids.next()))
                                        .value();
  StoredPlans store_{ground_.database(), ground_.clock, owner_};
  ThreadScheduler scheduler_{ground_.clock, {.strands = 2, .blocking = 2}};
  const storage::Lease lease_;
  std::unique_ptr<PlanWriter> writer_;
};

TEST(ErrorRecoveryStress, TwoHundredErrorsAtOnceAreAllRecordedAndTheBudgetIsSpentOnce) {
  constexpr auto kCategory = model::ErrorCategory::kTransientProvider;
  Plan plan;
  ErrorRecoveryService service(plan.writer());
  base::Atomic<int> granted{0};  // counts, publishes nothing
  test::together(test::kManyThreads, [&](int worker) {
    const auto decision =
        sim::record(service, {.category = kCategory, .message = std::to_string(worker)}).value();
    if (decision.recovery == model::Recovery::kRetry) granted.fetch_add(1);
  });
  EXPECT_EQ(granted.load(), plan::recovery_policy(kCategory).retries);
  const auto history = sim::error_history(plan.store(), plan.plan).value();
  ASSERT_EQ(history.size(), static_cast<std::size_t>(test::kManyThreads));
  for (int i = 0; i < test::kManyThreads; ++i) {
    EXPECT_EQ(history[static_cast<std::size_t>(i)].number, i + 1);
  }
}

}  // namespace
}  // namespace clever::engine
