#include "confine/internal/system_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace clever::confine::internal {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

TEST(SystemError, HasTheCodeThatFits) {
  EXPECT_EQ(system_error(ENOENT, "x").code(), ErrorCode::kNotFound);
  EXPECT_EQ(system_error(ENOTDIR, "x").code(), ErrorCode::kNotFound);
  EXPECT_EQ(system_error(EACCES, "x").code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(system_error(EROFS, "x").code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(system_error(EMFILE, "x").code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(system_error(ENOEXEC, "x").code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(system_error(EIO, "x").code(), ErrorCode::kInternal);
}

TEST(SystemError, SaysWhatWasDone) {
  EXPECT_EQ(system_error(ENOENT, "cannot run x").message(),
            "cannot run x: No such file or directory");
}

TEST(SystemError, WhatIsNotOfferedHasAWayOut) {
  const auto error = not_offered(EPERM, "namespaces are refused");
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_THAT(error.message(), HasSubstr("namespaces are refused: Operation not permitted"));
  EXPECT_THAT(error.message(), HasSubstr("--unconfined"));
}

}  // namespace
}  // namespace clever::confine::internal
