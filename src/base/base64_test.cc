#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace clever::base {
namespace {

TEST(Base64, WritesTheVectorsOfTheStandard) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xFB\xFF"), "+/8=");
}

TEST(Base64, ReadsWithoutPadding) {
  EXPECT_EQ(from_base64("Zg").value(), "f");
  EXPECT_EQ(from_base64("Zm8").value(), "fo");
}

TEST(Base64, NamesTheCharacterThatDoesNotBelong) {
  EXPECT_EQ(from_base64("Zm9v-").error().message(), "character 5 is not base64");
  EXPECT_EQ(from_base64("Z===").error().message(), "character 2 is not base64");
  EXPECT_EQ(from_base64("Zm9vY").error().message(), "the base64 text is cut short");
}

TEST(Base64, ReadsBackWhatItWrote) {
  EXPECT_TRUE(rc::check(
      [](const std::string& bytes) { RC_ASSERT(from_base64(to_base64(bytes)).value() == bytes); }));
}

}  // namespace
}  // namespace clever::base
