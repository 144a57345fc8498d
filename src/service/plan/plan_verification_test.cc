#include "service/plan/plan_verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "base/random.h"
#include "base/ulid.h"
#include "model/plan_events.h"
#include "storage/database_url.h"
#include "storage/journal.h"
#include "storage/leases.h"
#include "storage/owner_lock.h"
#include "storage/sqlite/sqlite_engine.h"
#include "support/temporary_directory.h"

namespace clever::service {
namespace {

using ::testing::IsEmpty;

/// Another process writes before each question.
class BusyEngine final : public storage::Engine {
 public:
  BusyEngine(storage::Engine& engine, std::function<void()> before_question)
      : engine_(engine), before_question_(std::move(before_question)) {}

  void submit(storage::UnitOfWork unit, Done done) override {
    engine_.submit(std::move(unit), std::move(done));
  }
  base::Result<storage::Receipt> commit(storage::UnitOfWork unit, const base::StopToken& stop,
                                        base::Deadline deadline) override {
    return engine_.commit(std::move(unit), stop, deadline);
  }
  base::Result<void> read(const Read& read, const base::StopToken& stop,
                          base::Deadline deadline) override {
    const auto look = [&](storage::Snapshot& view) {
      BusyView busy(view, before_question_);
      return read(busy);
    };
    return engine_.read(look, stop, deadline);
  }
  [[nodiscard]] std::unique_ptr<storage::Subscription> subscribe(
      std::string topic, std::function<void()> wake) override {
    return engine_.subscribe(std::move(topic), std::move(wake));
  }
  [[nodiscard]] base::Result<storage::EngineFacts> facts() override { return engine_.facts(); }
  base::Result<void> check_integrity(const storage::Progress& progress,
                                     const base::StopToken& stop) override {
    return engine_.check_integrity(progress, stop);
  }
  base::Result<void> backup(const std::filesystem::path& target, const storage::Progress& progress,
                            const base::StopToken& stop) override {
    return engine_.backup(target, progress, stop);
  }
  base::Result<void> vacuum(const storage::Progress& progress,
                            const base::StopToken& stop) override {
    return engine_.vacuum(progress, stop);
  }

 private:
  class BusyView final : public storage::Snapshot {
   public:
    BusyView(storage::Snapshot& view, const std::function<void()>& before)
        : view_(view), before_(before) {}
    base::Result<storage::Rows> query(const storage::Statement& statement) override {
      before_();
      return view_.query(statement);
    }

   private:
    storage::Snapshot& view_;
    const std::function<void()>& before_;
  };

  storage::Engine& engine_;
  const std::function<void()> before_question_;
};

class PlanVerificationTest : public ::testing::Test {
 protected:
  PlanVerificationTest() {
    const auto url = storage::DatabaseUrl::parse("sqlite:" + (folder_ / "a.db").string(), "/");
    engine_ = storage::open_sqlite(url.value(), {}, clock_).value();
    plan_ = model::PlanId(ids_.next());
    lease_ = storage::Leases(*engine_).acquire(plan_, owner_, std::chrono::minutes(1)).value();
    append(model::PlanCreated{.title = "busy",
                              .project = "/p",
                              .phase = model::Phase::kStrategize,
                              .state = model::PlanState::kProcessing}
               .to_event());
  }

  void append(model::Event event) {
    storage::Append append;
    append.plan = plan_;
    append.expected = head_;
    append.epoch = lease_.epoch;
    append.events = {std::move(event)};
    head_ = storage::Journal(*engine_, clock_).append(std::move(append)).value();
  }

  // To another place each time.
  void move() {
    const bool waits = head_.sequence % 2 == 1;
    const auto state = waits ? model::PlanState::kWaiting : model::PlanState::kProcessing;
    append(model::PlanMoved{model::Phase::kStrategize, state}.to_event());
  }

  base::SystemClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock_, random_};
  test::TemporaryDirectory folder_;
  storage::OwnerLock owner_ =
      storage::OwnerLock::acquire(folder_ / "owners", model::OwnerId(ids_.next())).value();
  std::unique_ptr<storage::Engine> engine_;
  model::PlanId plan_;
  storage::Lease lease_;
  storage::Head head_;
};

TEST_F(PlanVerificationTest, OthersMayWriteMeanwhile) {
  const auto before = head_.sequence;
  BusyEngine busy(*engine_, [this] { move(); });
  const auto found = verify_plan(busy, clock_, plan_, {});
  ASSERT_TRUE(found.ok()) << found.error().sentence();
  EXPECT_GT(head_.sequence, before + 3) << "no write came between";
  EXPECT_THAT(found->fold, IsEmpty());
  EXPECT_THAT(found->chain, IsEmpty());
  EXPECT_THAT(found->effects, IsEmpty());
  EXPECT_EQ(found->plans, 1U);
}

TEST_F(PlanVerificationTest, APlanThatIsElsewhereInTheListIsFound) {
  storage::UnitOfWork unit;
  unit.run("UPDATE plan SET state = 'applied'");
  ASSERT_TRUE(engine_->commit(std::move(unit)).ok());
  EXPECT_FALSE(verify_plan(*engine_, clock_, plan_, {})->sound());
}

TEST_F(PlanVerificationTest, APlanThatIsNotThereIsNamed) {
  const auto found = verify_plan(*engine_, clock_, model::PlanId(ids_.next()), {});
  EXPECT_EQ(found.error().code(), base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::service
