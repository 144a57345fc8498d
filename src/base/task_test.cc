#include "base/task.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace clever::base {
namespace {

// Runs, moves and drops a task around `held`; it must end exactly once.
template <std::size_t Padding>
void check_life(bool run) {
  auto held = std::make_shared<int>(0);
  {
    Task task = [held, padding = std::array<int, Padding>{1}] { *held += padding[0]; };
    EXPECT_EQ(held.use_count(), 2);
    Task moved = std::move(task);
    EXPECT_FALSE(static_cast<bool>(task));
    EXPECT_EQ(held.use_count(), 2);
    task = std::move(moved);
    if (run) task();
    Task& alias = task;
    task = std::move(alias);
    EXPECT_TRUE(static_cast<bool>(task));
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(*held, run ? 1 : 0);
}

TEST(Task, KeepsASmallFunctionInside) {
  check_life<1>(true);
  check_life<1>(false);
}

TEST(Task, KeepsALargeFunctionOutside) {
  check_life<200>(true);
  check_life<200>(false);
}

TEST(Task, HoldsPlainFunctionsAndMoveOnlyOnes) {
  static int calls = 0;
  Task plain = +[] { ++calls; };
  plain();
  Task moving = [owned = std::make_unique<int>(2)] { calls += *owned; };
  moving();
  EXPECT_EQ(calls, 3);
}

TEST(Task, AssigningNothingDropsTheFunction) {
  auto held = std::make_shared<int>(0);
  Task task = [held] {};
  task = nullptr;
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(static_cast<bool>(task));
}

TEST(Task, ReplacingATaskDropsTheOldFunction) {
  auto held = std::make_shared<int>(0);
  Task task = [held] {};
  task = [] {};
  EXPECT_EQ(held.use_count(), 1);
}

TEST(TaskDeathTest, AnEmptyOneAborts) {
  Task task;
  EXPECT_DEATH(task(), "empty Task");
}

TEST(TaskDeathTest, AnExceptionEndsTheProgram) {
  Task task = [] { throw std::runtime_error("out"); };
  EXPECT_DEATH(task(), "");
}

}  // namespace
}  // namespace clever::base
