#include "service/commands/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/ulid.h"
#include "cli/words.h"
#include "model/effect_events.h"
#include "model/plan_events.h"
#include "storage/budgets.h"
#include "storage/journal.h"
#include "storage/leases.h"
#include "support/cli_run.h"

namespace clever::cli {
namespace {

using storage::DatabaseUrl;
using test::CliRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Dollars, ShowCentsAndWhatIsSmaller) {
  EXPECT_EQ(service::dollars(0), "$0.00");
  EXPECT_EQ(service::dollars(1'250'000), "$1.25");
  EXPECT_EQ(service::dollars(31'200), "$0.0312");
  EXPECT_EQ(service::dollars(1'234'567'000'001), "$1,234,567.000001");
}

TEST(Dollars, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(service::parse_dollars("5").value(), 5'000'000);
  EXPECT_EQ(service::parse_dollars("$2.50").value(), 2'500'000);
  EXPECT_EQ(service::parse_dollars("0.000001").value(), 1);
  for (const char* text : {"", "$", "-1", "1.", ".5", "1e3", "1.0000001", "9999999999", "five"}) {
    EXPECT_FALSE(service::parse_dollars(text).ok()) << text;
  }
}

class BudgetCommandTest : public testing::Test {
 protected:
  BudgetCommandTest() { EXPECT_EQ(cli_.run({"db", "migrate"}), 0); }

  int run(std::vector<std::string> words) {
    words.insert(words.begin(), "budget");
    return cli_.run(words);
  }
  std::shared_ptr<storage::Engine> open() {
    return cli_.databases()
        .open(DatabaseUrl::file(cli_.home() / "cleveragents.db"), {}, {})
        .value();
  }

  // A plan whose call was begun twice: the first reservation is an orphan.
  model::PlanId plan_with_an_orphan() {
    const auto engine = open();
    const auto owner =
        storage::OwnerLock::acquire(cli_.home() / "owners", model::OwnerId(ids_.next())).value();
    const model::PlanId plan(ids_.next());
    storage::Leases leases(*engine);
    const auto lease = leases.acquire(plan, owner, std::chrono::minutes(1)).value();
    const model::EffectRequested call{.id = model::EffectId(ids_.next()), .kind = "model.call"};
    const auto reserved =
        model::BudgetReserved{{"session/1"}, {2'000'000, 500}, call.id}.to_event();
    storage::Append append;
    append.plan = plan;
    append.epoch = lease.epoch;
    append.events = {model::PlanCreated{}.to_event(), call.to_event().value(), reserved, reserved};
    EXPECT_TRUE(storage::Journal(*engine, clock_).append(std::move(append)).ok());
    EXPECT_TRUE(leases.release(lease, owner).ok());
    return plan;
  }

  CliRun cli_;
  base::SystemClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock_, random_};
};

TEST_F(BudgetCommandTest, ListOfNothingSaysSo) {
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_EQ(cli_.output, "Nothing has been spent or capped yet.\n");
}

TEST_F(BudgetCommandTest, ACapIsSetAndShown) {
  EXPECT_EQ(run({"set", "session/1", "2.50", "--tokens", "1000"}), 0);
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("session/1"), HasSubstr("$2.50"), HasSubstr("1,000")));
  EXPECT_EQ(run({"set", "session/1", "none"}), 0);
  EXPECT_EQ(run({"list", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("cap":{"microdollars":null,"tokens":null})"));
}

TEST_F(BudgetCommandTest, BadAmountsAreRefusedWithWhatWouldBeRight) {
  EXPECT_EQ(run({"set", "session/1", "much"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("such as 5 or 2.50"));
  EXPECT_EQ(run({"set", "session/1", "1", "--tokens", "-5"}), 2);
  EXPECT_EQ(run({"release", "x", "1"}), 2);
  EXPECT_EQ(run({"release", model::PlanId(ids_.next()).to_string(), "x"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("budget list"));
}

TEST_F(BudgetCommandTest, AnOrphanIsShownAndReleased) {
  EXPECT_EQ(run({"set", "session/1", "5"}), 0);
  const std::string plan = plan_with_an_orphan().to_string();
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("orphaned"), HasSubstr("under way")));
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("$2.00 counts as spent until"),
                                       HasSubstr("`agents budget release " + plan + " 3`")));
  EXPECT_EQ(run({"list", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("\"release\":\"agents budget release " + plan + " 3\""));
  EXPECT_EQ(cli_.run({"plan", "cost", plan}), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("reservation"), HasSubstr("orphaned")));
  EXPECT_THAT(cli_.error_output, HasSubstr("`agents budget release " + plan + " 3`"));

  EXPECT_EQ(run({"release", plan, "4"}), 4) << "its call may still be under way";
  EXPECT_EQ(run({"release", plan, "3"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("$2.00"));
  EXPECT_EQ(run({"release", plan, "3"}), 3);
  EXPECT_EQ(run({"release", plan, "4", "--force"}), 0);
  EXPECT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, Not(HasSubstr("under way")));
  EXPECT_EQ(storage::Budgets(*open()).find("session/1").value().reserved, model::Cost());
}

TEST_F(BudgetCommandTest, WithoutADatabaseItSaysHowToMakeOne) {
  CliRun fresh;
  EXPECT_EQ(fresh.run({"budget", "list"}), 3);
  EXPECT_THAT(fresh.error_output, HasSubstr("agents db migrate"));
}

}  // namespace
}  // namespace clever::cli
