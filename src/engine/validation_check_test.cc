#include "engine/validation_check.h"

#include <gtest/gtest.h>

namespace clever::engine {
namespace {

TEST(ShownOutput, IsBothStreamsAndTheRemark) {
  EXPECT_EQ(shown_output("out", "err", "(note)"), "out\nerr\n(note)");
  EXPECT_EQ(shown_output("", "", "(note)"), "(note)");
  EXPECT_EQ(shown_output("out\n", "", ""), "out\n");
  EXPECT_EQ(shown_output("", "", ""), "");
}

TEST(ShownOutput, KeepsTheEndOfEach) {
  const std::string text =
      shown_output(std::string(5'000, 'o') + "O", std::string(5'000, 'e') + "E", "(note)");
  EXPECT_LE(text.size(), 4'000U);
  EXPECT_NE(text.find("O\n"), std::string::npos);
  EXPECT_NE(text.find("E\n(note)"), std::string::npos);
}

TEST(ShownOutput, GivesOneTheRoomThatTheOtherDoesNotNeed) {
  const std::string text = shown_output(std::string(10'000, 'o'), "E", "");
  EXPECT_GT(text.size(), 3'900U);
  EXPECT_LE(text.size(), 4'000U);
  EXPECT_TRUE(text.ends_with("\nE"));
  EXPECT_TRUE(shown_output("O", std::string(10'000, 'e'), "").starts_with("O\n"));
}

TEST(ShownOutput, CutsNoCharacterAndNoInvalidBytes) {
  std::string umlauts;
  for (int i = 0; i < 5'000; ++i) umlauts += "ü";
  const std::string text = shown_output(umlauts + "\xff", "", "");
  EXPECT_LE(text.size(), 4'000U);
  EXPECT_TRUE(text.starts_with("[…]\nü"));
  EXPECT_TRUE(text.ends_with("ü\xEF\xBF\xBD"));
}

TEST(ShownOutput, HoldsNoSecrets) {
  const std::string key = "sk-" + std::string(40, 'a');
  EXPECT_EQ(shown_output("key " + key, "", ""), "key " + key);
  base::Secrets secrets;
  secrets.add(key);
  EXPECT_EQ(shown_output("key " + key, "password: str", "", &secrets),
            "key [secret-withheld]\npassword: str");
}

}  // namespace
}  // namespace clever::engine
