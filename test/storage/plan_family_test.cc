#include "storage/plan_family.h"

#include "model/decision_events.h"
#include "model/work_events.h"
#include "storage/plan_test.h"

namespace clever::storage {
namespace {

using testing::HeldPlan;

class PlanFamilyTest : public testing::PlanTest {
 protected:
  HeldPlan child_of(const HeldPlan& parent) { return create({.parent = parent.id}); }
  model::DecisionId decide(HeldPlan& plan) {
    const model::DecisionRecorded decision{.id = world().next<model::DecisionId>(),
                                           .kind = model::DecisionKind::kStrategyChoice,
                                           .question = "which?",
                                           .chosen = "this"};
    append(plan, {decision.to_event()});
    return decision.id;
  }
};

TEST_P(PlanFamilyTest, HasAllBelowAndNoOthers) {
  const HeldPlan top = create();
  const HeldPlan child = child_of(top);
  const HeldPlan grandchild = child_of(child);
  const HeldPlan stranger = create();
  const auto plans = PlanFamily(engine(), top.id).plans().value();
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0].id, top.id);
  EXPECT_EQ(plans[2].id, grandchild.id);
  EXPECT_EQ(plans[2].parent, child.id);
  EXPECT_EQ(PlanFamily(engine(), child.id).plans().value().size(), 2U);
  EXPECT_TRUE(PlanFamily(engine(), world().next<model::PlanId>()).plans().value().empty());
}

TEST_P(PlanFamilyTest, PlansAreCountedByTheirProject) {
  const HeldPlan top = create({.project = "/a"});
  const HeldPlan below = create({.parent = top.id, .project = "/a"});
  const HeldPlan other = create({.project = "/b"});
  Plans plans(engine());
  const auto count = [&](const PlanFilter& filter, bool with_subplans) {
    std::string text;
    for (const ProjectPlans& one : plans.count(filter, with_subplans).value()) {
      text += one.project + " " + std::to_string(one.plans) + ", ";
    }
    return text;
  };
  EXPECT_EQ(count({}, false), "/a 1, /b 1, ");
  EXPECT_EQ(count({}, true), "/a 2, /b 1, ");
  EXPECT_EQ(count({.project = "/a"}, true), "/a 2, ");
  EXPECT_EQ(count({.project = "/a", .also = {"/b"}}, false), "/a 1, /b 1, ");
  const std::string state = plans.find(top.id).value().state;
  EXPECT_EQ(count({.state = state}, false), "/a 1, /b 1, ");
  EXPECT_EQ(count({.state = "applied"}, false), "");
}

TEST_P(PlanFamilyTest, DecisionsAreByPlanInTheirOrder) {
  HeldPlan top = create();
  HeldPlan child = child_of(top);
  const auto first = decide(top);
  const auto inner = decide(child);
  const auto second = decide(top);
  const auto decisions = PlanFamily(engine(), top.id).decisions().value();
  ASSERT_EQ(decisions.size(), 3U);
  EXPECT_EQ(decisions[0].node.id, first);
  EXPECT_EQ(decisions[1].node.id, second);
  EXPECT_EQ(decisions[2].node.id, inner);
  EXPECT_EQ(decisions[2].plan, child.id);
  EXPECT_EQ(decisions[2].node.kind, "strategy_choice");
}

TEST_P(PlanFamilyTest, OnlyEventsAboutStepsAreRead) {
  HeldPlan top = create();
  HeldPlan child = child_of(top);
  decide(top);
  append(top, {model::StepAdded{.step = {.id = "a", .title = "A"}}.to_event()});
  append(child, {model::StepMoved{.step = "a"}.to_event()});
  const auto events = PlanFamily(engine(), top.id).step_events().value();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, "step.added");
  EXPECT_EQ(events[1].kind, "step.moved");
  EXPECT_EQ(events[1].plan, child.id);
}

TEST_P(PlanFamilyTest, DecisionsAreFoundByHowTheirIdBegins) {
  HeldPlan plan = create();
  const auto id = decide(plan);
  const auto found = decisions_by_prefix(engine(), id.to_string()).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].plan, plan.id);
  decide(plan);
  EXPECT_EQ(decisions_by_prefix(engine(), id.to_string().substr(0, 1)).value().size(), 2U);
  EXPECT_TRUE(decisions_by_prefix(engine(), "7ZZZ").value().empty());
  EXPECT_FALSE(decisions_by_prefix(engine(), "no id").ok());
}

CLEVER_ALL_ENGINES(PlanFamilyTest);

}  // namespace
}  // namespace clever::storage
