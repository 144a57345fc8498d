#include "confine/internal/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "confine/internal/channel.h"
#include "confine/internal/hand_over.h"
#include "confine/internal/start_outcome.h"
#include "confine/internal/wire.h"

namespace clever::confine::internal {
namespace {

using base::ErrorCode;
using namespace std::chrono_literals;

class ReportTest : public ::testing::Test {
 protected:
  // Sends these bytes with their length in front.
  void send(std::uint64_t size, const std::string& bytes) const {
    WireWriter head;
    head.number(size);
    send_all(sockets_.theirs.number(), std::move(head).take() + bytes).value();
  }
  [[nodiscard]] base::Result<Report> receive() const {
    return receive_report(sockets_.ours.number(), 0ms);
  }

  Sockets sockets_ = make_socket_pair().value();
};

TEST_F(ReportTest, SurvivesItsWay) {
  send_report(sockets_.theirs.number(), {.kind = Report::Kind::kEnded, .status = 0x1234});
  send_report(sockets_.theirs.number(), failure_report(base::not_found("no such thing")));
  const Report ended = receive().value();
  EXPECT_EQ(ended.kind, Report::Kind::kEnded);
  EXPECT_EQ(ended.status, 0x1234);
  const Report failed = receive().value();
  EXPECT_EQ(failed.kind, Report::Kind::kFailed);
  EXPECT_EQ(failed.code, ErrorCode::kNotFound);
  EXPECT_EQ(failed.message, "no such thing");
}

TEST_F(ReportTest, NoneIsSaidSo) {
  EXPECT_EQ(receive().error().code(), ErrorCode::kUnavailable);
  sockets_.theirs.reset();
  EXPECT_EQ(receive().error().code(), ErrorCode::kUnavailable);
}

TEST_F(ReportTest, OneThatIsTooLongIsRefused) {
  send(std::uint64_t{1} << 40U, "");
  EXPECT_EQ(receive().error().code(), ErrorCode::kCorruption);
}

TEST_F(ReportTest, OneThatMakesNoSenseIsRefused) {
  WireWriter odd;
  odd.number(9);
  odd.number(0);
  odd.text("internal");
  odd.text("");
  const std::string bytes = std::move(odd).take();
  send(bytes.size(), bytes);
  EXPECT_EQ(receive().error().code(), ErrorCode::kCorruption);
  send(3, "abc");
  EXPECT_EQ(receive().error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(ReportTest, AMissingReaderIsNotAFailure) {
  sockets_.ours.reset();
  send_report(sockets_.theirs.number(), {});
  EXPECT_EQ(send_all(sockets_.theirs.number(), "x").error().code(), ErrorCode::kUnavailable);
}

TEST(StartOutcome, AClosedPipeIsSuccess) {
  Ends pipe = make_pipe().value();
  pipe.writing.reset();
  EXPECT_TRUE(start_outcome(pipe.reading).ok());
}

TEST(StartOutcome, TellsTheError) {
  Ends pipe = make_pipe().value();
  tell_failure(pipe.writing, base::permission_denied("may not"));
  pipe.writing.reset();
  const auto outcome = start_outcome(pipe.reading);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(outcome.error().message(), "may not");
}

TEST(HandOver, ADescriptorArrives) {
  const Sockets sockets = make_socket_pair().value();
  Ends pipe = make_pipe().value();
  hand_over(sockets.ours.number(), pipe.writing, 11434).value();
  {
    const auto taken = take_over(sockets.theirs.number()).value();
    tell_failure(taken.connection, base::not_found("through"));
    EXPECT_EQ(taken.port, 11434);
  }
  pipe.writing.reset();
  EXPECT_EQ(start_outcome(pipe.reading).error().message(), "through");
}

TEST(HandOver, TheEndIsSaidSo) {
  Sockets sockets = make_socket_pair().value();
  sockets.ours.reset();
  EXPECT_EQ(take_over(sockets.theirs.number()).error().code(), ErrorCode::kUnavailable);
  const Ends pipe = make_pipe().value();
  EXPECT_EQ(hand_over(sockets.theirs.number(), pipe.reading, 0).error().code(),
            ErrorCode::kUnavailable);
}

TEST(HandOver, ABareByteIsRefused) {
  const Sockets sockets = make_socket_pair().value();
  send_all(sockets.ours.number(), "x").value();
  EXPECT_EQ(take_over(sockets.theirs.number()).error().code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace clever::confine::internal
