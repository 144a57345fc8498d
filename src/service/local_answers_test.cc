#include "service/local_answers.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace clever::service {
namespace {

TEST(LocalAnswers, CountForTwoSecondsAndByAddress) {
  base::SimulatedClock clock;
  LocalAnswers answers(clock);
  int asked = 0;
  const auto count = [&](const std::string& url) -> base::Result<std::string> {
    ++asked;
    if (url == "http://none") return base::unavailable("no server");
    return std::to_string(asked);
  };
  EXPECT_EQ(answers.get("http://one", count).value(), "1");
  EXPECT_EQ(answers.get("http://one", count).value(), "1");
  EXPECT_EQ(answers.get("http://none", count).error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(answers.get("http://none", count).error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(asked, 2);
  clock.advance(std::chrono::seconds(2));
  EXPECT_EQ(answers.get("http://one", count).value(), "3");
}

}  // namespace
}  // namespace clever::service
