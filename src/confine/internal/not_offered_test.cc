#include "confine/internal/not_offered.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

TEST(NotOffered, HasAWayOut) {
  const auto error = not_offered(EPERM, "namespaces are refused");
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_THAT(error.message(), HasSubstr("namespaces are refused: Operation not permitted"));
  EXPECT_THAT(error.message(), HasSubstr("--unconfined"));
}

}  // namespace
}  // namespace clever::confine::internal
