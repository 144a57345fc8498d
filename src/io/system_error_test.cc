#include "io/system_error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace clever::io {
namespace {

using base::ErrorCode;

TEST(SystemError, HasTheCodeThatFits) {
  EXPECT_EQ(io::system_error(ENOENT, "x").code(), ErrorCode::kNotFound);
  EXPECT_EQ(io::system_error(ENOTDIR, "x").code(), ErrorCode::kNotFound);
  EXPECT_EQ(io::system_error(EACCES, "x").code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(io::system_error(EROFS, "x").code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(io::system_error(EMFILE, "x").code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(io::system_error(ENOEXEC, "x").code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(io::system_error(EIO, "x").code(), ErrorCode::kInternal);
}

TEST(SystemError, SaysWhatWasDone) {
  EXPECT_EQ(io::system_error(ENOENT, "cannot run x").message(),
            "cannot run x: No such file or directory");
}

}  // namespace
}  // namespace clever::io
