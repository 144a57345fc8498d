#include "storage/postgres/internal/libpq.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::storage::postgres {
namespace {

using ::testing::HasSubstr;

TEST(LibpqTest, ItIsFoundWhereItIsInstalled) {
  const auto libpq = Libpq::load();
  ASSERT_TRUE(libpq.ok()) << libpq.error().to_string();
  EXPECT_NE((*libpq)->PQgetlength, nullptr);
}

TEST(LibpqTest, AMissingLibraryIsNamedWithItsPackage) {
  const auto libpq = Libpq::load("libpq-nowhere.so.5");
  EXPECT_EQ(libpq.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(libpq.error().message(), HasSubstr("libpq-nowhere.so.5"));
  EXPECT_THAT(libpq.error().message(), HasSubstr("libpq5"));
}

TEST(LibpqTest, ALibraryWithoutItsFunctionsIsRefused) {
  const auto libpq = Libpq::load("libc.so.6");
  EXPECT_EQ(libpq.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(libpq.error().message(), HasSubstr("PQconnectStartParams"));
}

}  // namespace
}  // namespace clever::storage::postgres
