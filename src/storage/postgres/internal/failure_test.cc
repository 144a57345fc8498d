#include "storage/postgres/internal/failure.h"

#include <gtest/gtest.h>

namespace clever::storage::postgres {
namespace {

using base::ErrorCode;

void check_failure(std::string_view sqlstate, ErrorCode code, Trouble trouble = Trouble::kRefused) {
  const Failure failure =
      failure_of({.severity = "ERROR", .sqlstate = sqlstate, .text = "what", .detail = "which"});
  EXPECT_EQ(failure.error.code(), code) << sqlstate;
  EXPECT_EQ(failure.trouble, trouble) << sqlstate;
  EXPECT_EQ(failure.sqlstate, sqlstate);
  EXPECT_EQ(failure.error.message(), "what: which");
}

TEST(FailureTest, ConstraintsAndValuesAreTheCallersMistake) {
  check_failure("23505", ErrorCode::kAlreadyExists);
  check_failure("23503", ErrorCode::kInvalidArgument);
  check_failure("23502", ErrorCode::kInvalidArgument);
  check_failure("22003", ErrorCode::kInvalidArgument);
  check_failure("42804", ErrorCode::kInvalidArgument);
  check_failure("42883", ErrorCode::kInvalidArgument);
  check_failure("54000", ErrorCode::kInvalidArgument);
}

TEST(FailureTest, OthersInTheWayMeanAgain) {
  check_failure("40001", ErrorCode::kUnavailable, Trouble::kRepeat);
  check_failure("40P01", ErrorCode::kUnavailable, Trouble::kRepeat);
  check_failure("55P03", ErrorCode::kUnavailable, Trouble::kRepeat);
}

TEST(FailureTest, TheEndOfTheServerOrTheConnectionIsALoss) {
  check_failure("57P01", ErrorCode::kUnavailable, Trouble::kLost);
  check_failure("57P02", ErrorCode::kUnavailable, Trouble::kLost);
  check_failure("57P03", ErrorCode::kUnavailable, Trouble::kLost);
  check_failure("08006", ErrorCode::kUnavailable, Trouble::kLost);
  check_failure("25P03", ErrorCode::kUnavailable, Trouble::kLost);
}

TEST(FailureTest, LimitsAndRightsHaveTheirCodes) {
  check_failure("53100", ErrorCode::kResourceExhausted);
  check_failure("53200", ErrorCode::kResourceExhausted);
  check_failure("53300", ErrorCode::kUnavailable);
  check_failure("28P01", ErrorCode::kPermissionDenied);
  check_failure("42501", ErrorCode::kPermissionDenied);
  check_failure("25006", ErrorCode::kPermissionDenied);
  check_failure("3D000", ErrorCode::kNotFound);
  check_failure("XX001", ErrorCode::kCorruption);
  check_failure("57014", ErrorCode::kUnavailable);
}

TEST(FailureTest, AnythingElseIsOurMistake) {
  check_failure("42601", ErrorCode::kInternal);
  check_failure("", ErrorCode::kInternal);
}

TEST(FailureTest, WhatIsFatalEndsTheConnection) {
  for (const auto severity : {"FATAL", "PANIC"}) {
    const Failure failure =
        failure_of({.severity = severity, .sqlstate = "53100", .text = "full", .detail = ""});
    EXPECT_EQ(failure.trouble, Trouble::kLost);
    EXPECT_EQ(failure.error.message(), "full");
  }
}

TEST(ConnectErrorTest, ARefusalOfTheServerHasItsCode) {
  const auto error = connect_error(
      "connection to server on socket \"/run/.s.PGSQL.5432\" failed: FATAL:  3D000: database "
      "\"x\" does not exist\nLOCATION:  InitPostgres, postinit.c:885\n");
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_EQ(error.message(), "database \"x\" does not exist");
}

TEST(ConnectErrorTest, AServerThatStartsIsUnavailable) {
  const auto error = connect_error(
      "connection to server at \"::1\", port 1 failed: FATAL:  57P03: the database system is "
      "starting up\n");
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
}

TEST(ConnectErrorTest, WithoutAServerTheTextIsTheSystems) {
  const std::string text = "connection to server at \"db\", port 5432 failed: Connection refused";
  const auto error = connect_error(text + "\n");
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_EQ(error.message(), text);
}

TEST(ConnectErrorTest, FiveLettersInATextAreNoCode) {
  EXPECT_EQ(connect_error("failed: HELLO world").message(), "failed: HELLO world");
  EXPECT_EQ(connect_error("").code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace clever::storage::postgres
