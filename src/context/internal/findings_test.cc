#include "context/internal/findings.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/clock.h"

namespace clever::context::internal {
namespace {

using base::Deadline;
using Candidates = Findings::Candidates;

class FindingsTest : public testing::Test {
 protected:
  Findings::Look finding(std::string path) {
    return [this, path = std::move(path)]() -> base::Result<Candidates> {
      ++looked_;
      return Candidates{{.path = path}};
    };
  }
  std::string find(const std::string& what, const Findings::Look& look) {
    return findings_.find(what, {}, Deadline::never(), look).value().front().path;
  }

  Findings findings_;
  int looked_ = 0;
};

TEST_F(FindingsTest, DoesNotRepeatAFinishedSearch) {
  EXPECT_EQ(find("words", finding("a")), "a");
  EXPECT_EQ(find("words", finding("b")), "a");
  EXPECT_EQ(looked_, 1);
}

TEST_F(FindingsTest, OtherThingsAreOthers) {
  EXPECT_EQ(find("words", finding("a")), "a");
  EXPECT_EQ(find("vectors/local", finding("b")), "b");
}

TEST_F(FindingsTest, AnExceptionLeavesTheSearchToTheNextCaller) {
  const Findings::Look throwing = []() -> base::Result<Candidates> {
    throw std::runtime_error("broken");
  };
  EXPECT_THROW((void)findings_.find("words", {}, Deadline::never(), throwing), std::runtime_error);
  EXPECT_EQ(find("words", finding("a")), "a");
}

TEST_F(FindingsTest, WaitingEndsAtTheDeadline) {
  base::SystemClock clock;
  base::ErrorCode reported{};
  const Findings::Look slow = [&]() -> base::Result<Candidates> {
    // A caller that asks now would have to wait for us.
    const auto late =
        findings_.find("words", {}, Deadline::at(clock, base::TimePoint::min()), finding("b"));
    reported = late.error().code();
    return Candidates{{.path = "a"}};
  };
  EXPECT_EQ(find("words", slow), "a");
  EXPECT_EQ(reported, base::ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(looked_, 0);
}

TEST_F(FindingsTest, AQuestionWithoutThemIsAskedEachTime) {
  const Question question;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(found_once(question, "words", {}, Deadline::never(), finding("a")).ok());
  }
  EXPECT_EQ(looked_, 2);
}

}  // namespace
}  // namespace clever::context::internal
