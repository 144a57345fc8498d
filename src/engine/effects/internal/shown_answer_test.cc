#include "engine/effects/internal/shown_answer.h"

#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

class ShownPieces final : public Observer {
 public:
  void on_text(const model::PlanId&, const std::string& piece, bool reasoning) override {
    shown += (reasoning ? "~" : "") + piece + "|";
  }
  std::string shown;
};

class ShownAnswerTest : public ::testing::Test {
 protected:
  base::Secrets secrets_;
  // A stream knows what was known when it began.
  const bool is_known_ = secrets_.add("correct-horse-battery");
  ShownPieces pieces_;
  ShownAnswer answer_{&pieces_, model::PlanId(), &secrets_};
};

TEST_F(ShownAnswerTest, ASecretSplitOverPiecesIsMasked) {
  for (const char* piece : {"is corr", "ect-horse-", "battery", "!"}) answer_.take(piece, false);
  answer_.finish();
  EXPECT_EQ(pieces_.shown, "is |[secret-withheld]|!|");
}

TEST_F(ShownAnswerTest, ASecretBetweenThoughtsIsMasked) {
  answer_.take("correct-", false);
  answer_.take("hm", true);
  answer_.take("horse-battery", false);
  answer_.finish();
  EXPECT_EQ(pieces_.shown, "~hm|[secret-withheld]|");
}

TEST_F(ShownAnswerTest, WordsAndThoughtsKeepTheirOrder) {
  answer_.take("The c", true);
  answer_.take("So", false);
  answer_.finish();
  EXPECT_EQ(pieces_.shown, "~The |~c|So|");
}

TEST_F(ShownAnswerTest, WhatStartsOverForgetsWhatWasHeldBack) {
  answer_.take("correct-horse", false);
  answer_.restart();
  answer_.take("-battery", false);
  answer_.finish();
  EXPECT_EQ(pieces_.shown, "-battery|");
}

TEST(ShownAnswer, WithoutSecretsPiecesPassAsTheyCome) {
  ShownPieces pieces;
  ShownAnswer answer(&pieces, model::PlanId(), nullptr);
  answer.take("correct-", false);
  answer.take("horse", false);
  EXPECT_EQ(pieces.shown, "correct-|horse|");
}

}  // namespace
}  // namespace clever::engine::internal
