#include "base/error.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace clever::base {
namespace {

constexpr int kCodes = static_cast<int>(ErrorCode::kInternal) + 1;

TEST(ErrorCode, EveryCodeHasANameOfItsOwnThatReadsBack) {
  std::set<std::string_view> names;
  for (int i = 0; i < kCodes; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    names.insert(to_string(code));
    EXPECT_EQ(error_code_from_string(to_string(code)), code);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kCodes));
}

TEST(ErrorCode, NamesAreThoseOnTheWire) {
  EXPECT_EQ(to_string(ErrorCode::kInvalidArgument), "invalid_argument");
  EXPECT_EQ(to_string(ErrorCode::kDeadlineExceeded), "deadline_exceeded");
  EXPECT_EQ(to_string(ErrorCode::kInternal), "internal");
}

TEST(ErrorCode, AnUnknownNameIsNotACode) {
  EXPECT_EQ(error_code_from_string("teapot"), std::nullopt);
  EXPECT_EQ(error_code_from_string(""), std::nullopt);
  EXPECT_EQ(error_code_from_string("Internal"), std::nullopt);
}

TEST(ErrorCode, OnlyPassingTroubleMayBeRetried) {
  std::set<ErrorCode> retryable;
  for (int i = 0; i < kCodes; ++i) {
    if (is_retryable(static_cast<ErrorCode>(i))) retryable.insert(static_cast<ErrorCode>(i));
  }
  EXPECT_EQ(retryable, (std::set{ErrorCode::kDeadlineExceeded, ErrorCode::kUnavailable,
                                 ErrorCode::kResourceExhausted}));
}

TEST(Error, ReadsFromTheOutsideIn) {
  Error error = invalid_argument("expected a string");
  error.add_context("parsing config.toml").add_context("reading the settings");
  EXPECT_EQ(error.to_string(),
            "reading the settings: parsing config.toml: expected a string (invalid_argument)");
  EXPECT_EQ(error.sentence(), "reading the settings: parsing config.toml: expected a string");
  EXPECT_EQ(error.context(),
            (std::vector<std::string>{"parsing config.toml", "reading the settings"}));
}

TEST(Error, WithoutContextIsItsMessage) {
  const Error error = not_found("no such plan");
  EXPECT_EQ(error.sentence(), "no such plan");
  EXPECT_EQ(error.message(), "no such plan");
  EXPECT_TRUE(error.context().empty());
}

TEST(Error, ContextCanBeAddedToATemporary) {
  const Error error = unavailable("no route").add_context("connecting");
  EXPECT_EQ(error.to_string(), "connecting: no route (unavailable)");
}

TEST(Error, ComparesCodeMessageAndContext) {
  EXPECT_EQ(conflict("x"), conflict("x"));
  EXPECT_NE(conflict("x"), conflict("y"));
  EXPECT_NE(conflict("x"), cancelled("x"));
  EXPECT_NE(conflict("x"), conflict("x").add_context("c"));
}

TEST(Error, EveryCodeHasItsMaker) {
  EXPECT_EQ(invalid_argument("").code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(not_found("").code(), ErrorCode::kNotFound);
  EXPECT_EQ(already_exists("").code(), ErrorCode::kAlreadyExists);
  EXPECT_EQ(conflict("").code(), ErrorCode::kConflict);
  EXPECT_EQ(cancelled("").code(), ErrorCode::kCancelled);
  EXPECT_EQ(deadline_exceeded("").code(), ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(unavailable("").code(), ErrorCode::kUnavailable);
  EXPECT_EQ(resource_exhausted("").code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(permission_denied("").code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(corruption("").code(), ErrorCode::kCorruption);
  EXPECT_EQ(internal_error("").code(), ErrorCode::kInternal);
}

}  // namespace
}  // namespace clever::base
