#include "base/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace clever::base {
namespace {

using testing::HasSubstr;
using testing::Not;

class SecretsTest : public testing::Test {
 protected:
  SecretsTest() { secrets_.add("correct-horse"); }

  // The text that passes, given the pieces.
  [[nodiscard]] std::string streamed(const std::vector<std::string>& pieces) const {
    SecretStream stream = secrets_.stream();
    std::string out;
    for (const std::string& piece : pieces) out += stream.take(piece);
    return out + stream.finish();
  }

  Secrets secrets_;
};

TEST_F(SecretsTest, OnlyKnownValuesAreWithheld) {
  EXPECT_EQ(secrets_.withhold("password: str, api_key=sk-ant-api03-AbCdEf_GhIjKl"),
            "password: str, api_key=sk-ant-api03-AbCdEf_GhIjKl");
  EXPECT_EQ(secrets_.withhold("is correct-horse!"), "is [secret-withheld]!");
  EXPECT_EQ(secrets_.withhold("is correct-horse!", "X"), "is X!");
}

TEST_F(SecretsTest, FindsThemInTheirEncodings) {
  EXPECT_TRUE(secrets_.found_in("is correct-horse!"));
  EXPECT_TRUE(secrets_.found_in("Y29ycmVjdC1ob3JzZQ=="));
  EXPECT_FALSE(secrets_.found_in("correct horse"));
  EXPECT_FALSE(secrets_.found_in(""));
}

TEST_F(SecretsTest, WithoutAnyNothingIsFound) {
  const Secrets none;
  EXPECT_FALSE(none.found_in("correct-horse"));
  EXPECT_EQ(none.withhold("correct-horse"), "correct-horse");
  EXPECT_EQ(none.withhold_lines("correct-horse\n"), "correct-horse\n");
}

TEST_F(SecretsTest, NoMarkIsASecret) {
  for (const std::string_view mark : kSecretMarks) EXPECT_FALSE(secrets_.add(mark));
  EXPECT_FALSE(secrets_.add("a known secret and"));
  EXPECT_EQ(secrets_.withhold(kFileWithheld), kFileWithheld);
}

TEST_F(SecretsTest, WholeLinesAreWithheld) {
  EXPECT_EQ(secrets_.withhold_lines("a\nkey = correct-horse # correct-horse\nb\ncorrect-horse"),
            "a\n[this line holds a known secret and is withheld]\nb\n"
            "[this line holds a known secret and is withheld]");
}

TEST_F(SecretsTest, ASecretOfSeveralLinesTakesThemAll) {
  secrets_.add("first line\nsecond line\n");
  EXPECT_EQ(secrets_.withhold_lines("a\nx first line\nsecond line\nb\n"),
            "a\n[this line holds a known secret and is withheld]\nb\n");
}

TEST_F(SecretsTest, AStreamFindsWhatIsSplit) {
  EXPECT_EQ(streamed({"it is corr", "ect-", "horse", "."}), "it is [secret-withheld].");
  EXPECT_EQ(streamed({"it is corr", "upt"}), "it is corrupt");
  EXPECT_EQ(streamed({"it is corr"}), "it is corr");
  EXPECT_EQ(streamed({"ccorrect-", "horsecorrect-hors", "e"}),
            "c[secret-withheld][secret-withheld]");
}

TEST_F(SecretsTest, AStreamHoldsBackNoMoreThanItMust) {
  SecretStream stream = secrets_.stream();
  EXPECT_EQ(stream.take("it is corr"), "it is ");
  EXPECT_EQ(stream.waiting(), 4U);
  EXPECT_EQ(stream.take("o"), "corro");
  EXPECT_EQ(stream.waiting(), 0U);
}

TEST_F(SecretsTest, AStreamOfOverlappingSecretsStaysShort) {
  secrets_.add("aaaaaaaaaaaaaaaa");
  SecretStream stream = secrets_.stream();
  std::string out;
  for (int i = 0; i < 1000; ++i) {
    out += stream.take("aaaaaaa");
    ASSERT_LT(stream.waiting(), 64U);
  }
  EXPECT_EQ(out + stream.finish(), "[secret-withheld]");
}

// Letters few enough that secrets, their beginnings and their overlaps are common.
std::string some_text(std::size_t most) {
  const auto letters = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc ")));
  return letters.substr(0, most);
}

TEST(SecretStreamProperty, HoweverTextIsCutItPassesAsAWhole) {
  const auto holds = rc::check("a stream withholds what the whole text would", [] {
    Secrets secrets;
    const std::vector<std::string> values = {"abcabcabcabc", "bcabcabcabca", "ccccccccccccc"};
    for (const std::string& value : values) secrets.add(value);
    std::string text;
    for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
      const std::string& value = values[*rc::gen::inRange<std::size_t>(0, values.size())];
      text += some_text(5) + value.substr(0, *rc::gen::inRange<std::size_t>(1, value.size() + 1));
    }
    SecretStream stream = secrets.stream();
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = *rc::gen::inRange<std::size_t>(1, 9);
      out += stream.take(std::string_view(text).substr(at, size));
      at += size;
    }
    out += stream.finish();
    RC_ASSERT(out == secrets.withhold(text));
    for (const std::string& value : values) RC_ASSERT(!out.contains(value));
  });
  EXPECT_TRUE(holds);
}

TEST(SecretsProperty, TextWithoutAKnownValuePassesByteForByte) {
  const auto holds = rc::check("text without a known value passes", [](const std::string& text) {
    Secrets secrets;
    secrets.add("correct-horse-battery");
    RC_ASSERT(secrets.withhold(text) == text);
    RC_ASSERT(secrets.withhold_lines(text) == text);
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace clever::base
