#include "service/report.h"

#include <gtest/gtest.h>

namespace clever::service {
namespace {

using base::ErrorCode;

TEST(ExitCodeTest, EveryErrorHasItsCode) {
  EXPECT_EQ(exit_code(ErrorCode::kInvalidArgument), ExitCode::kUsage);
  EXPECT_EQ(exit_code(ErrorCode::kNotFound), ExitCode::kNotFound);
  EXPECT_EQ(exit_code(ErrorCode::kAlreadyExists), ExitCode::kConflict);
  EXPECT_EQ(exit_code(ErrorCode::kConflict), ExitCode::kConflict);
  for (const ErrorCode code :
       {ErrorCode::kCancelled, ErrorCode::kDeadlineExceeded, ErrorCode::kUnavailable,
        ErrorCode::kResourceExhausted, ErrorCode::kPermissionDenied, ErrorCode::kCorruption,
        ErrorCode::kInternal}) {
    EXPECT_EQ(exit_code(code), ExitCode::kError) << base::to_string(code);
  }
}

TEST(ExitCodeTest, NumbersAreThoseScriptsRelyOn) {
  EXPECT_EQ(static_cast<int>(ExitCode::kOk), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::kError), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::kUsage), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::kNotFound), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::kConflict), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::kNeedsPerson), 5);
}

TEST(ReportTest, AFailureCarriesItsSentenceAndHint) {
  base::Error error = base::not_found("no such key");
  error.add_context("reading the settings");
  const Report report = failed(error, "try another");
  EXPECT_EQ(report.status, Status::kError);
  EXPECT_EQ(report.exit_code, ExitCode::kNotFound);
  ASSERT_EQ(report.messages.size(), 2U);
  EXPECT_EQ(report.messages[0].text, "reading the settings: no such key");
  EXPECT_EQ(report.messages[1].level, Message::Level::kHint);
  EXPECT_EQ(failed(error).messages.size(), 1U);
}

TEST(ReportTest, AWarningDoesNotHideAnError) {
  Report report = failed(base::internal_error("broken"));
  report.warn("also this");
  EXPECT_EQ(report.status, Status::kError);
}

TEST(ReportTest, NamesOnTheWire) {
  EXPECT_EQ(to_string(Status::kOk), "ok");
  EXPECT_EQ(to_string(Status::kWarn), "warn");
  EXPECT_EQ(to_string(Status::kError), "error");
  EXPECT_EQ(to_string(Message::Level::kNote), "note");
  EXPECT_EQ(to_string(Message::Level::kWarning), "warning");
  EXPECT_EQ(to_string(Message::Level::kError), "error");
  EXPECT_EQ(to_string(Message::Level::kHint), "hint");
  EXPECT_EQ(to_string(Message::Level::kUsage), "usage");
}

}  // namespace
}  // namespace clever::service
