#include "provider/governor/internal/window.h"

#include <gtest/gtest.h>

namespace clever::provider::governor {
namespace {

TEST(WindowTest, IsOneUntilTheFirstAnswer) {
  Window window(10);
  EXPECT_EQ(window.size(), 1);
  EXPECT_TRUE(window.is_cold());
  window.on_answer(true);
  EXPECT_EQ(window.size(), 2);
  EXPECT_FALSE(window.is_cold());
}

TEST(WindowTest, GrowsOnlyWhileItIsUsedUp) {
  Window window(10);
  window.on_answer(false);
  EXPECT_EQ(window.size(), 1);
}

TEST(WindowTest, GrowsUpToItsBound) {
  Window window(10);
  for (int i = 0; i < 100; ++i) window.on_answer(true);
  EXPECT_EQ(window.size(), 10);
  window.limit(4);
  EXPECT_EQ(window.size(), 4);
}

TEST(WindowTest, HalvesAndThenGrowsSlowly) {
  Window window(64);
  for (int i = 0; i < 31; ++i) window.on_answer(true);
  EXPECT_EQ(window.size(), 32);
  window.on_pushback();
  EXPECT_EQ(window.size(), 16);
  for (int i = 0; i < 17; ++i) window.on_answer(true);
  EXPECT_EQ(window.size(), 17);
}

TEST(WindowTest, BeginsAgainQuicklyUpToWhereItWas) {
  Window window(64);
  for (int i = 0; i < 31; ++i) window.on_answer(true);
  window.on_pushback();
  window.restart();
  EXPECT_EQ(window.size(), 1);
  for (int i = 0; i < 15; ++i) window.on_answer(true);
  EXPECT_EQ(window.size(), 16);
}

TEST(WindowTest, StartsAtWhatIsKnownUntilItHasLearnedItself) {
  Window window(10);
  window.start_at(6);
  EXPECT_EQ(window.size(), 6);
  EXPECT_FALSE(window.is_cold());
  window.start_at(4);
  EXPECT_EQ(window.size(), 6);
  window.start_at(99);
  EXPECT_EQ(window.size(), 10);
  window.on_pushback();
  window.start_at(10);
  EXPECT_EQ(window.size(), 5);
}

TEST(WindowTest, IsNeverLessThanOne) {
  Window window(0);
  for (int i = 0; i < 5; ++i) window.on_pushback();
  window.warm();
  EXPECT_EQ(window.size(), 1);
}

}  // namespace
}  // namespace clever::provider::governor
