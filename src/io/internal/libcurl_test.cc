#include "io/internal/libcurl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::io::internal {
namespace {

TEST(Libcurl, IsLoadedWhenAsked) {
  const auto loaded = Libcurl::load();
  ASSERT_TRUE(loaded.ok()) << loaded.error().to_string();
  CURL* handle = (*loaded)->curl_easy_init();
  EXPECT_NE(handle, nullptr);
  (*loaded)->curl_easy_cleanup(handle);
}

void check_missing(const char* library) {
  const auto loaded = Libcurl::load(library);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(loaded.error().message(), ::testing::HasSubstr("install the package libcurl4"));
}

TEST(Libcurl, SaysWhatToInstallIfItIsMissing) { check_missing("libcurl-not-there.so.4"); }

TEST(Libcurl, RefusesALibraryWithoutItsFunctions) { check_missing("libm.so.6"); }

}  // namespace
}  // namespace clever::io::internal
