#include "engine/effect_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class Id>
Id id(char last) {
  return Id(base::Ulid::parse(std::string("01HF7YAT00000000000000000") + last).value());
}

// Keeps effects until the test ends them.
class KeptEffects final : public EffectRunner {
 public:
  void start(EffectOrder order, Done done) override {
    started.push_back(order.id);
    open_.emplace(order.id, std::move(done));
  }
  void end(char effect) {
    auto node = open_.extract(id<model::EffectId>(effect));
    node.mapped()(plan::EffectStopped{node.key()});
  }
  std::vector<model::EffectId> started;

 private:
  std::map<model::EffectId, Done> open_;
};

class EffectGateTest : public ::testing::Test {
 protected:
  EffectGateTest() {
    root_.id = id<model::PlanId>('A');
    child_.id = id<model::PlanId>('B');
    child_.parent = root_.id;
    gate_.add({root_.id}, {.pause =
                               [this](const WaitNotice& wait) {
                                 reasons_.push_back(wait.why);
                                 return agrees_;
                               },
                           .wants_to_work = [this] { ++wants_; }});
  }
  void start(char effect, const plan::State& plan, plan::EffectKind kind = plan::EffectKind::kModel,
             const base::StopToken& stop = {}) {
    EffectOrder order;
    order.id = id<model::EffectId>(effect);
    order.kind = kind;
    order.plan = std::make_shared<const plan::State>(plan);
    order.stop = stop;
    gate_.start(runner_, std::move(order),
                [this](const plan::Command& outcome) { outcomes_.push_back(outcome); });
  }

  base::SimulatedClock clock_;
  EffectGate gate_{clock_, nullptr};
  KeptEffects runner_;
  plan::State root_;
  plan::State child_;
  std::vector<std::string> reasons_;
  std::vector<plan::Command> outcomes_;
  bool agrees_ = true;
  int wants_ = 0;
};

TEST_F(EffectGateTest, APlanThatOnlyWaitsIsPausedAndItsNextEffectHeldBack) {
  start('1', root_);
  gate_.on_wait(root_.id, {.why = "its limit"});
  EXPECT_THAT(reasons_, ElementsAre("its limit"));
  runner_.end('1');
  EXPECT_THAT(outcomes_, SizeIs(1)) << "an answer is never held back";
  start('2', root_, plan::EffectKind::kTools);
  EXPECT_THAT(runner_.started, SizeIs(1));
  EXPECT_EQ(wants_, 1);
  gate_.allow(root_.id);
  EXPECT_THAT(runner_.started, SizeIs(2));
  gate_.on_wait(root_.id, {.why = "another"});
  EXPECT_THAT(reasons_, SizeIs(1)) << "its tools work";
}

TEST_F(EffectGateTest, ATreeIsPausedOnceAllOfItWaits) {
  start('1', root_);
  start('2', child_);
  gate_.on_wait(child_.id, {.why = "the child's"});
  EXPECT_THAT(reasons_, IsEmpty());
  gate_.on_wait(root_.id, {.why = "the root's"});
  EXPECT_THAT(reasons_, ElementsAre("the root's"));
  runner_.end('2');
  gate_.on_events(child_, {});
  EXPECT_EQ(wants_, 0) << "nothing to do yet";
  runner_.end('1');
  gate_.on_events(root_, {});
  gate_.on_events(root_, {});
  EXPECT_EQ(wants_, 1);
}

TEST_F(EffectGateTest, APauseThatIsRefusedHoldsNothingBack) {
  agrees_ = false;
  start('1', root_);
  gate_.on_wait(root_.id, {.why = "its limit"});
  EXPECT_THAT(reasons_, SizeIs(1));
  start('2', root_, plan::EffectKind::kTools);
  EXPECT_THAT(runner_.started, SizeIs(2));
}

TEST_F(EffectGateTest, AStoppedEffectIsNotStarted) {
  start('1', root_);
  gate_.on_wait(root_.id, {.why = "its limit"});
  runner_.end('1');
  base::StopSource stop;
  start('2', root_, plan::EffectKind::kTools, stop.token());
  stop.request_stop();
  EXPECT_THAT(outcomes_, SizeIs(2));
  EXPECT_TRUE(std::holds_alternative<plan::EffectStopped>(outcomes_.back()));
  gate_.allow(root_.id);
  EXPECT_THAT(runner_.started, SizeIs(1));
}

TEST_F(EffectGateTest, MoneyAndRetriesAreWaitedForWithoutAnEffectThatRuns) {
  root_.state = model::PlanState::kWaiting;
  root_.waiting = plan::Waiting::kBudget;
  root_.room_may_come = true;
  root_.reason = "no room";
  gate_.on_events(root_, {});
  EXPECT_THAT(reasons_, ElementsAre("no room"));
  gate_.on_events(root_, {});
  EXPECT_EQ(wants_, 0);
  root_.waiting = plan::Waiting::kPerson;
  gate_.on_events(root_, {});
  EXPECT_EQ(wants_, 1) << "its owner sees that it rests";
  gate_.allow(root_.id);

  root_.waiting = plan::Waiting::kNothing;
  plan::OpenEffect timer{.kind = plan::EffectKind::kTimer};
  root_.effects[id<model::EffectId>('3')] = timer;
  gate_.on_events(root_, {});
  EXPECT_THAT(reasons_, SizeIs(1)) << "it is due";
}

TEST_F(EffectGateTest, WhatIsRemovedWorksAndPlansOfNoTreeAlwaysDo) {
  start('1', root_);
  gate_.on_wait(root_.id, {.why = "its limit"});
  start('2', root_, plan::EffectKind::kTools);
  gate_.remove(root_.id);
  gate_.remove(root_.id);
  EXPECT_THAT(runner_.started, SizeIs(2));
  start('3', root_);
  gate_.on_wait(root_.id, {.why = "its limit"});
  runner_.end('3');
  EXPECT_THAT(reasons_, SizeIs(1));
}

}  // namespace
}  // namespace clever::engine
