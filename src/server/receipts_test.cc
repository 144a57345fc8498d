#include "server/receipts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "support/temporary_directory.h"

namespace clever::server {
namespace {

using ::testing::HasSubstr;

class ReceiptsTest : public ::testing::Test {
 protected:
  static Receipts::Claim claim(Receipts& receipts) {
    auto begun = receipts.begin("key", "POST /a");
    return std::get<Receipts::Claim>(std::move(begun).value());
  }
  void done() {
    ASSERT_TRUE(claim(receipts_)
                    .settle({.status = 201, .headers = {{"Location", "/x"}}, .body = "{}\n"})
                    .ok());
  }

  test::TemporaryDirectory folder_;
  base::SimulatedClock clock_;
  Receipts receipts_{folder_.path(), clock_};
};

TEST_F(ReceiptsTest, TheSameRequestGetsTheSameAnswerAfterARestartToo) {
  done();
  Receipts restarted(folder_.path(), clock_);
  const auto again = restarted.begin("key", "POST /a").value();
  const auto& answer = std::get<http::Response>(again);
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.headers.at(0).value, "/x");
  EXPECT_EQ(answer.body, "{}\n");
}

TEST_F(ReceiptsTest, AnotherRequestUnderTheKeyIsAConflict) {
  done();
  EXPECT_EQ(receipts_.begin("key", "POST /b").error().code(), base::ErrorCode::kConflict);
}

TEST_F(ReceiptsTest, OneThatIsBeingDoneIsNotDoneASecondTime) {
  const auto first = claim(receipts_);
  EXPECT_THAT(receipts_.begin("key", "POST /a").error().message(),
              HasSubstr("is still in progress"));
}

TEST_F(ReceiptsTest, OneWhoseServerWasKilledIsNotDoneASecondTime) {
  {
    const auto killed = claim(receipts_);
  }
  Receipts restarted(folder_.path(), clock_);
  EXPECT_THAT(restarted.begin("key", "POST /a").error().message(),
              HasSubstr("its outcome is unknown"));
}

TEST_F(ReceiptsTest, AreForgottenAfterADay) {
  done();
  clock_.advance(Receipts::kKept + std::chrono::minutes(1));
  ASSERT_TRUE(receipts_.expire().ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "server/receipts"));
  claim(receipts_);
}

}  // namespace
}  // namespace clever::server
