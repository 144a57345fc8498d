#include "storage/projections.h"

#include <atomic>

#include "base/thread.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "storage/counting_engine.h"
#include "storage/decisions.h"
#include "storage/effects.h"
#include "storage/keys.h"
#include "storage/plan_test.h"
#include "storage/plans.h"
#include "storage/topic_watch.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using testing::CountingEngine;
using ::testing::HasSubstr;
using testing::HeldPlan;
using testing::note;
using namespace std::chrono_literals;

class ProjectionsTest : public testing::PlanTest {
 protected:
  [[nodiscard]] PlanSummary summary(const HeldPlan& plan) {
    return Plans(engine()).find(plan.id).value();
  }
  [[nodiscard]] model::DecisionRecorded decision(model::DecisionId parent = {}) {
    return {.id = world().next<model::DecisionId>(),
            .parent = parent,
            .kind = model::DecisionKind::kStrategyChoice,
            .question = "which?",
            .chosen = "this",
            .confidence = 0.75};
  }
  [[nodiscard]] ErrorCode refusal(const HeldPlan& plan, model::Event event) {
    const auto head = try_append(plan, {std::move(event)});
    EXPECT_FALSE(head.ok());
    EXPECT_EQ(journal().state(plan.id).value().head, plan.head) << "nothing happened";
    return head.error().code();
  }
};

TEST_P(ProjectionsTest, ACreatedPlanIsListed) {
  const auto parent = world().next<model::PlanId>();
  const HeldPlan plan = create({.parent = parent,
                                .title = "t",
                                .action = "local/task",
                                .project = "/p",
                                .phase = model::Phase::kAction,
                                .state = model::PlanState::kQueued});
  const PlanSummary expected{
      .id = plan.id,
      .parent = parent,
      .title = "t",
      .action = "local/task",
      .project = "/p",
      .phase = "action",
      .state = "queued",
      .created = std::chrono::floor<std::chrono::microseconds>(clock().wall_now()),
      .updated = std::chrono::floor<std::chrono::microseconds>(clock().wall_now()),
      .sequence = 1};
  EXPECT_EQ(summary(plan), expected);
  EXPECT_EQ(Plans(engine()).list({}, 10).value(), std::vector{expected});
}

TEST_P(ProjectionsTest, AMovedPlanShowsWhereItIs) {
  HeldPlan plan = create();
  advance(1s);
  append(plan, {note("x"),
                model::PlanMoved{model::Phase::kExecute, model::PlanState::kWaiting}.to_event()});
  const PlanSummary moved = summary(plan);
  EXPECT_EQ(moved.phase, "execute");
  EXPECT_EQ(moved.state, "waiting");
  EXPECT_EQ(moved.sequence, 3);
  EXPECT_EQ(moved.updated - moved.created, 1s);
}

TEST_P(ProjectionsTest, APlanIsCreatedOnceAndFirst) {
  const HeldPlan plan = create();
  EXPECT_EQ(refusal(plan, model::PlanCreated().to_event()), ErrorCode::kAlreadyExists);
  HeldPlan empty{world().next<model::PlanId>(), {}, {}};
  empty.lease = leases().acquire(empty.id, owner(), testing::kTtl).value();
  EXPECT_EQ(refusal(empty, model::PlanMoved().to_event()), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal(empty, decision().to_event()), ErrorCode::kInvalidArgument);
}

TEST_P(ProjectionsTest, PlansAreFoundByPrefix) {
  const HeldPlan plan = create();
  const std::string text = plan.id.to_string();
  EXPECT_EQ(Plans(engine()).find_by_prefix(text).value().id, plan.id);
  EXPECT_EQ(Plans(engine()).find_by_prefix(text.substr(0, 4)).value().id, plan.id);
  EXPECT_EQ(Plans(engine()).find_by_prefix("").value().id, plan.id);
  const HeldPlan second = create();
  EXPECT_EQ(Plans(engine()).find_by_prefix(text.substr(0, 4)).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(Plans(engine()).find_by_prefix(second.id.to_string()).value().id, second.id);
  EXPECT_EQ(Plans(engine()).find_by_prefix("7ZZ").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(Plans(engine()).find_by_prefix("U").error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Plans(engine()).find(world().next<model::PlanId>()).error().code(),
            ErrorCode::kNotFound);
}

TEST_P(ProjectionsTest, PlansAreFiltered) {
  const HeldPlan a = create({.title = "a", .project = "/a"});
  const HeldPlan b = create({.parent = a.id, .title = "b", .project = "/b"});
  HeldPlan c = create({.parent = a.id, .title = "c", .project = "/a"});
  append(c, {model::PlanMoved{model::Phase::kApply, model::PlanState::kApplied}.to_event()});
  const auto check = [&](const PlanFilter& filter, const std::string& titles) {
    std::string found;
    for (const auto& plan : Plans(engine()).list(filter, 10).value()) found += plan.title;
    EXPECT_EQ(found, titles);
  };
  check({}, "cba");
  check({.project = "/a"}, "ca");
  check({.parent = a.id}, "cb");
  check({.project = "/b", .parent = a.id}, "b");
  check({.phase = "apply"}, "c");
  check({.state = "queued"}, "ba");
  check({.project = "/a", .state = "queued"}, "a");
  check({.project = "/none"}, "");
  check({.project = "/a", .also = {"/b", "/none"}}, "cba");
  check({.project = "/none", .also = {"/b"}, .state = "queued"}, "b");
  const auto page = Plans(engine()).list({.project = "/b", .also = {"/a"}}, 2).value();
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(page[1].title, "b");
  const auto rest = Plans(engine()).list({.project = "/b", .also = {"/a"}}, 2, page[1].id).value();
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].title, "a");
}

TEST_P(ProjectionsTest, AThousandPlansAreOneStatement) {
  UnitOfWork unit;
  for (int i = 0; i < 1000; ++i) {
    model::StoredEvent event{.plan = world().next<model::PlanId>(), .sequence = 1};
    event.kind = model::PlanCreated::kKind;
    event.data = model::PlanCreated{.title = std::to_string(i)}.to_event().data;
    ASSERT_TRUE(project(event, Projecting::kAppend, unit).ok());
  }
  engine().commit(std::move(unit)).value();
  CountingEngine counting(engine());
  const auto page = Plans(counting).list({}, 1000).value();
  EXPECT_EQ(counting.statements(), 1);
  ASSERT_EQ(page.size(), 1000U);
  EXPECT_EQ(page[0].title, "999");
  EXPECT_EQ(page[999].title, "0");
  const auto later = Plans(engine()).list({}, 10, page[499].id).value();
  ASSERT_EQ(later.size(), 10U);
  EXPECT_EQ(later[0], page[500]);
}

TEST_P(ProjectionsTest, DecisionsAreATree) {
  HeldPlan plan = create();
  const auto root = decision();
  const auto left = decision(root.id);
  const auto right = decision(root.id);
  append(plan, {root.to_event(), left.to_event(), right.to_event()});
  const auto tree = Decisions(engine()).tree(plan.id).value();
  ASSERT_EQ(tree.size(), 3U);
  EXPECT_EQ(tree[0].id, root.id);
  EXPECT_FALSE(tree[0].parent);
  EXPECT_EQ(tree[0].children, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(tree[1].parent, root.id);
  EXPECT_EQ(tree[1].sequence, 3);
  EXPECT_EQ(tree[1].kind, "strategy_choice");
  EXPECT_EQ(tree[1].question, "which?");
  EXPECT_EQ(tree[1].chosen, "this");
  EXPECT_EQ(tree[1].confidence, 0.75);
  EXPECT_EQ(tree[1].data, left.to_event().data);
  EXPECT_EQ(summary(plan).decisions, 3);
}

TEST_P(ProjectionsTest, ASupersededDecisionStaysAndSaysSo) {
  HeldPlan plan = create();
  const auto root = decision();
  append(plan, {root.to_event(), decision(root.id).to_event()});
  append(plan, {model::DecisionSuperseded{{root.id}}.to_event()});
  append(plan, {model::DecisionSuperseded{{root.id}}.to_event()});
  const auto tree = Decisions(engine()).tree(plan.id).value();
  EXPECT_EQ(tree[0].superseded, 4) << "by the first that did";
  EXPECT_EQ(tree[1].superseded, 0);
}

TEST_P(ProjectionsTest, ADecisionBelongsToOnePlan) {
  HeldPlan plan = create();
  const auto root = decision();
  append(plan, {root.to_event()});
  const HeldPlan other = create();
  EXPECT_EQ(refusal(other, root.to_event()), ErrorCode::kAlreadyExists);
  EXPECT_EQ(refusal(other, model::DecisionSuperseded{{root.id}}.to_event()),
            ErrorCode::kInvalidArgument);
}

TEST_P(ProjectionsTest, TenThousandDecisionsAreOneStatement) {
  HeldPlan plan = create();
  std::vector<model::Event> events;
  const auto root = decision();
  events.push_back(root.to_event());
  for (int i = 1; i < 10'000; ++i) events.push_back(decision(root.id).to_event());
  append(plan, std::move(events));
  CountingEngine counting(engine());
  const auto tree = Decisions(counting).tree(plan.id).value();
  EXPECT_EQ(counting.statements(), 1);
  ASSERT_EQ(tree.size(), 10'000U);
  EXPECT_EQ(tree[0].children.size(), 9'999U);
}

TEST_P(ProjectionsTest, AnEffectIsOpenUntilItIsSettledOnce) {
  HeldPlan plan = create();
  const model::EffectRequested effect{
      .id = world().next<model::EffectId>(), .kind = "tool.run", .data = R"({"x":1})"};
  append(plan, {effect.to_event().value()});
  EXPECT_EQ(Effects(engine()).open(plan.id).value(),
            (std::vector{OpenEffect{effect.id, "tool.run", R"({"x":1})", 2}}));
  const model::Event settled = model::EffectSettled{effect.id, "done"}.to_event();
  EXPECT_EQ(refusal(create(), settled), ErrorCode::kConflict) << "of another plan";
  append(plan, {settled});
  EXPECT_TRUE(Effects(engine()).open(plan.id).value().empty());
  EXPECT_EQ(refusal(plan, settled), ErrorCode::kConflict);
  EXPECT_EQ(refusal(plan, effect.to_event().value()), ErrorCode::kAlreadyExists);
}

TEST_P(ProjectionsTest, AnEffectWithAJobIsEnqueuedWithIt) {
  HeldPlan plan = create();
  const model::EffectRequested effect{
      .id = world().next<model::EffectId>(),
      .kind = "model.call",
      .job = model::JobRequest{
          .queue = "models", .priority = 1, .max_attempts = 4, .concurrency = "k"}};
  TopicWatch watch(engine(), "jobs/models");
  const auto seen = watch.changes();
  append(plan, {effect.to_event().value()});
  EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
  const auto jobs =
      engine()
          .query(
              "SELECT queue, key, priority, max_attempts, concurrency, effect, body, state "
              "FROM job")
          .value();
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].text(0), "models");
  EXPECT_EQ(jobs[0].text(1), model::effect_key(effect.id));
  EXPECT_EQ(jobs[0].integer(2), 1);
  EXPECT_EQ(jobs[0].integer(3), 4);
  EXPECT_EQ(jobs[0].text(4), "k");
  EXPECT_EQ(id_of<model::EffectId>(jobs[0].blob(5)), effect.id);
  EXPECT_EQ(jobs[0].blob(6), "{}");
  EXPECT_EQ(jobs[0].integer(7), 0);
}

CLEVER_ALL_ENGINES(ProjectionsTest);

}  // namespace
}  // namespace clever::storage
