#include "storage/rebuild.h"

#include <map>

#include "base/thread.h"
#include "model/budget_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "storage/budgets.h"
#include "storage/decisions.h"
#include "storage/effects.h"
#include "storage/inbox.h"
#include "storage/keys.h"
#include "storage/plan_test.h"
#include "storage/plans.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using testing::HeldPlan;
using testing::note;

void ignore(std::string_view /*doing*/, std::uint64_t /*done*/, std::uint64_t /*all*/) {}

class RebuildTest : public testing::PlanTest {
 protected:
  // Everything the projections show.
  struct Shown {
    std::vector<PlanSummary> plans;
    std::vector<std::vector<DecisionNode>> decisions;
    std::vector<std::vector<OpenEffect>> effects;
    std::vector<Budget> budgets;
    std::vector<Reservation> reservations;
    std::vector<std::int64_t> shares;
    std::int64_t settled = 0;
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  [[nodiscard]] Shown shown() {
    Shown all;
    all.plans = Plans(engine()).list({}, 1000).value();
    for (const PlanSummary& plan : all.plans) {
      all.decisions.push_back(Decisions(engine()).tree(plan.id).value());
      all.effects.push_back(Effects(engine()).open(plan.id).value());
    }
    all.budgets = Budgets(engine()).list().value();
    all.reservations = Budgets(engine()).reservations().value();
    const auto shares =
        engine()
            .query(
                "SELECT reserved + tokens_reserved, spent + tokens_spent FROM budget_entry "
                "ORDER BY scope, plan")
            .value();
    for (const Row& row : shares) {
      all.shares.push_back(row.integer(0));
      all.shares.push_back(row.integer(1));
    }
    all.settled = number("SELECT count(*) FROM effect WHERE settled IS NOT NULL");
    return all;
  }
  Rebuild::Done rebuild() { return Rebuild(engine()).run(ignore).value(); }

  // A plan with one of everything.
  [[nodiscard]] HeldPlan busy_plan() {
    EXPECT_TRUE(Budgets(engine()).set_cap("day", {1'000'000}).ok());
    HeldPlan plan = create({.title = "busy", .project = "/p"});
    const model::DecisionRecorded root{.id = world().next<model::DecisionId>(), .question = "q"};
    const model::DecisionRecorded child{.id = world().next<model::DecisionId>(), .parent = root.id};
    append(plan,
           {root.to_event(), child.to_event(), model::DecisionSuperseded{{child.id}}.to_event(),
            model::BudgetReserved{{"day"}, {60, 6}}.to_event(),
            model::BudgetReserved{{"day"}, {40, 4}}.to_event(), request().to_event().value(),
            model::PlanMoved{model::Phase::kExecute, model::PlanState::kProcessing}.to_event()});
    append(plan,
           {model::BudgetSettled{plan.head.sequence - 3, {"day"}, {60, 6}, {50, 5}}.to_event()});
    const auto done = request();
    append(plan, {done.to_event().value(), model::EffectSettled{done.id, "done"}.to_event()});
    return plan;
  }
  [[nodiscard]] model::EffectRequested request() {
    return {.id = world().next<model::EffectId>(),
            .kind = "tool.run",
            .job = model::JobRequest{.queue = "tools"}};
  }
};

TEST_P(RebuildTest, ChangesNothingThatIsRight) {
  static_cast<void>(busy_plan());
  static_cast<void>(busy_plan());
  const Shown before = shown();
  const auto done = rebuild();
  EXPECT_EQ(done.plans, 2U);
  EXPECT_EQ(done.events, 22U);
  EXPECT_EQ(shown(), before);
  EXPECT_EQ(number("SELECT count(*) FROM job"), 4) << "those that were there stay as they were";
}

TEST_P(RebuildTest, MakesGoodWhatOtherHandsDamaged) {
  const HeldPlan a = busy_plan();
  const HeldPlan b = busy_plan();
  const Shown before = shown();
  edit("UPDATE plan SET title = 'damaged', decisions = 9, spent = 1, state = 'odd'");
  edit("DELETE FROM decision WHERE plan = $1", to_blob(a.id));
  edit("UPDATE decision SET plan = $1, question = 'moved'", to_blob(a.id));
  edit("UPDATE effect SET settled = NULL");
  edit("UPDATE effect SET plan = $1", to_blob(b.id));
  edit("UPDATE budget SET reserved = 7, spent = 7");
  edit("UPDATE budget_entry SET spent = 3");
  edit("DELETE FROM plan WHERE id = $1", to_blob(b.id));
  ASSERT_FALSE(shown() == before);
  rebuild();
  EXPECT_EQ(shown(), before);
}

TEST_P(RebuildTest, RemovesRowsOfPlansThatNeverWere) {
  static_cast<void>(busy_plan());
  const Shown before = shown();
  const Blob stranger = to_blob(world().next<model::PlanId>());
  edit(
      "INSERT INTO plan (id, title, action, project, phase, state, decisions, spent, created, "
      "updated, sequence) VALUES ($1, '', '', '', '', '', 0, 0, 0, 0, 0)",
      stranger);
  edit("INSERT INTO budget_entry (scope, plan, reserved, spent) VALUES ('day', $1, 5, 5)",
       stranger);
  rebuild();
  EXPECT_EQ(shown(), before);
}

TEST_P(RebuildTest, ALostBudgetComesBackWithoutACap) {
  static_cast<void>(busy_plan());
  edit("DELETE FROM budget_entry");
  edit("DELETE FROM budget");
  rebuild();
  EXPECT_EQ(Budgets(engine()).find("day").value(), (Budget{"day", {0}, {40, 4}, {50, 5}}));
}

TEST_P(RebuildTest, PutsTheJobsOfOpenEffectsBack) {
  const HeldPlan plan = busy_plan();
  edit(
      "INSERT INTO job (queue, priority, ready, state, attempts, max_attempts, expires, body, "
      "enqueued) VALUES ('alone', 0, 0, 0, 0, 1, 0, $1, 0)",
      Blob{});
  const std::string open = model::effect_key(Effects(engine()).open(plan.id).value().at(0).id);
  edit("DELETE FROM job WHERE queue = 'tools'");
  rebuild();
  const auto jobs = engine().query("SELECT queue, key FROM job ORDER BY queue").value();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].text(0), "alone") << "belongs to no effect";
  EXPECT_EQ(jobs[1].text(1), open) << "the settled one needs no job";
  rebuild();
  EXPECT_EQ(number("SELECT count(*) FROM job"), 2);
}

TEST_P(RebuildTest, AnEffectWhoseOutcomeIsInTheInboxIsNotRunAgain) {
  const HeldPlan plan = busy_plan();
  edit("DELETE FROM job");
  const std::string open = model::effect_key(Effects(engine()).open(plan.id).value().at(0).id);
  Inbox(engine()).send(plan.id, open, "outcome").value();
  rebuild();
  EXPECT_EQ(number("SELECT count(*) FROM job"), 0);
}

TEST_P(RebuildTest, EpochsAreRaisedToThoseOfTheEvents) {
  HeldPlan plan = busy_plan();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(leases().release(plan.lease, owner()).ok());
    plan.lease = leases().acquire(plan.id, owner(), testing::kTtl).value();
  }
  append(plan, {note("x")});
  const std::int64_t epoch = plan.lease.epoch;
  edit("DELETE FROM lease");
  edit("UPDATE journal SET epoch = 1");
  rebuild();
  EXPECT_EQ(journal().state(plan.id).value().epoch, epoch);
  EXPECT_EQ(leases().acquire(plan.id, owner(), testing::kTtl).value().epoch, epoch + 1);
}

TEST_P(RebuildTest, AHealthyLeaseStaysHeld) {
  HeldPlan plan = busy_plan();
  rebuild();
  append(plan, {note("still mine")});
  EXPECT_EQ(leases().renew_all(owner(), testing::kTtl).value(), std::vector{plan.lease});
}

TEST_P(RebuildTest, EndsOnAStopAndSaysHowFarItIs) {
  static_cast<void>(busy_plan());
  std::uint64_t all = 0;
  EXPECT_TRUE(Rebuild(engine())
                  .run([&](std::string_view, std::uint64_t, std::uint64_t of) { all = of; })
                  .ok());
  EXPECT_EQ(all, 1U);
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(Rebuild(engine()).run(ignore, stop.token()).error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(Rebuild(engine()).run_plan(world().next<model::PlanId>()).error().code(),
            ErrorCode::kNotFound);
}

TEST_P(RebuildTest, PlansThatMoveOnMeanwhileLoseNothing) {
  HeldPlan plan = busy_plan();
  const std::int64_t before = Plans(engine()).find(plan.id).value().decisions;
  {
    base::Thread writer("writer", [&](const base::StopToken&) {
      for (int i = 0; i < 50; ++i) {
        append(plan, {model::DecisionRecorded{.id = world().next<model::DecisionId>()}.to_event()});
      }
    });
    for (int i = 0; i < 5; ++i) rebuild();
    writer.join();
  }
  EXPECT_EQ(Plans(engine()).find(plan.id).value().decisions, before + 50);
  EXPECT_EQ(Decisions(engine()).tree(plan.id).value().size(),
            static_cast<std::size_t>(before) + 50);
}

// What the appends wrote step by step is what a rebuild makes of the events.
TEST_P(RebuildTest, OfRandomHistoriesItIsWhatTheAppendsWrote) {
  base::SeededRandom random(20261115);
  EXPECT_TRUE(Budgets(engine()).set_cap("a", {200, 100}).ok());
  EXPECT_TRUE(Budgets(engine()).set_cap("b", {500}).ok());
  std::vector<HeldPlan> plans;
  std::vector<model::DecisionId> decisions;
  std::vector<model::EffectId> effects;
  for (int i = 0; i < 4; ++i) plans.push_back(create());
  int refused = 0;
  const auto pick = [&](const auto& all) { return all[random.below(all.size())]; };
  const auto amount = [&] { return static_cast<std::int64_t>(random.below(30)); };
  for (int step = 0; step < 300; ++step) {
    HeldPlan& plan = plans[random.below(plans.size())];
    const std::vector<std::string> scopes =
        random.below(2) == 0 ? std::vector<std::string>{"a"} : std::vector<std::string>{"a", "b"};
    model::Event event = note("n");
    switch (random.below(7)) {
      case 0: {
        decisions.push_back(world().next<model::DecisionId>());
        event = model::DecisionRecorded{.id = decisions.back()}.to_event();
        break;
      }
      case 1:
        if (!decisions.empty()) event = model::DecisionSuperseded{{pick(decisions)}}.to_event();
        break;
      case 2:
        event = model::BudgetReserved{scopes, {amount(), amount()}}.to_event();
        break;
      case 3: {
        const auto open = Budgets(engine()).reservations().value();
        if (open.empty()) break;
        const Reservation& one = open[random.below(open.size())];
        event = random.below(3) == 0
                    ? model::BudgetReleased{one.sequence, one.scopes, one.cost}.to_event()
                    : model::BudgetSettled{one.sequence, one.scopes, one.cost, {amount(), 1}}
                          .to_event();
        break;
      }
      case 4: {
        effects.push_back(world().next<model::EffectId>());
        event = model::EffectRequested{.id = effects.back(), .kind = "k"}.to_event().value();
        break;
      }
      case 5:
        if (!effects.empty()) event = model::EffectSettled{pick(effects), "done"}.to_event();
        break;
      default:
        event =
            model::PlanMoved{model::Phase::kExecute, static_cast<model::PlanState>(random.below(9))}
                .to_event();
    }
    const auto head = try_append(plan, {std::move(event)});
    if (head.ok()) plan.head = *head;
    if (!head.ok()) ++refused;
  }
  EXPECT_GT(refused, 10) << "some of it must be impossible";
  EXPECT_LT(refused, 250);
  const Shown before = shown();
  rebuild();
  EXPECT_EQ(shown(), before);
  for (const Budget& budget : before.budgets) EXPECT_GE(budget.left().money + 30, 0);
}

CLEVER_ALL_ENGINES(RebuildTest);

}  // namespace
}  // namespace clever::storage
