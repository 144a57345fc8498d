#include "engine/effects/internal/agent_account.h"

#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

class AgentAccounts : public ::testing::Test {
 protected:
  AgentAccounts() {
    order_.plan = std::make_shared<const plan::State>();
    order_.charge = [this](const plan::AgentCharged& used, std::function<void(bool)> answered) {
      charged_ += used.spent.tokens;
      answered_ = std::move(answered);
    };
  }
  void use(std::int64_t tokens) { account_.take({.input_tokens = tokens}, "opus"); }
  [[nodiscard]] std::int64_t open() const { return account_.open().spent.tokens; }

  EffectOrder order_{};
  AgentProgram program_{};
  AgentAccount account_{order_, program_, false};
  std::int64_t charged_ = 0;
  std::function<void(bool)> answered_{};
};

TEST_F(AgentAccounts, LittleIsChargedAtTheEnd) {
  use(100);
  EXPECT_EQ(charged_, 0);
  EXPECT_EQ(open(), 100);
}

TEST_F(AgentAccounts, WhatWasChargedIsNotOpenAnyMore) {
  use(30'000);
  EXPECT_EQ(charged_, 30'000);
  answered_(true);
  account_.settle({}, base::Deadline::never());
  EXPECT_EQ(open(), 0);
  use(31'000);
  EXPECT_EQ(open(), 1'000);
}

TEST_F(AgentAccounts, WhatWasRefusedStaysOpenAndEndsTheAgent) {
  use(30'000);
  answered_(false);
  account_.settle({}, base::Deadline::never());
  EXPECT_EQ(open(), 30'000);
  EXPECT_FALSE(account_.may_go_on());
}

TEST_F(AgentAccounts, AStopEndsTheWaitForAnAnswer) {
  use(30'000);
  base::StopSource stop;
  stop.request_stop();
  account_.settle(stop.token(), base::Deadline::never());
  EXPECT_EQ(open(), 30'000);
}

}  // namespace
}  // namespace clever::engine::internal
