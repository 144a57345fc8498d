#include "base/sha256.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cctype>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/random.h"

namespace clever::base {
namespace {

using testing::HasSubstr;

constexpr std::string_view kOfAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

void check_digest(std::string_view text, std::string_view hex) {
  EXPECT_EQ(sha256(text).to_hex(), hex);
}

// FIPS 180-2, appendix B, and the empty text.
TEST(Sha256, HashesTheEmptyText) {
  check_digest("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
TEST(Sha256, HashesOneBlock) { check_digest("abc", kOfAbc); }
TEST(Sha256, HashesTwoBlocks) {
  check_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
TEST(Sha256, HashesTheLongerTwoBlocks) {
  check_digest(
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlm"
      "nopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}
TEST(Sha256, HashesAMillionLetters) {
  check_digest(std::string(1'000'000, 'a'),
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
TEST(Sha256, HashesAZeroByte) {
  check_digest(std::string(1, '\0'),
               "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
}

TEST(Sha256, DoesNotCareWhereTheTextIsSplit) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto first = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const auto second = *rc::gen::inRange<std::size_t>(first, text.size() + 1);
    const std::string_view all(text);
    Sha256 hasher;
    hasher.update(all.substr(0, first)).update(all.substr(first, second - first));
    RC_ASSERT(hasher.update(all.substr(second)).finish() == sha256(text));
  }));
}

TEST(Sha256, EverySplitOfThreeBlocksAgrees) {
  std::string text(192, '\0');
  SeededRandom random(1);
  random.fill(std::as_writable_bytes(std::span(text)));
  const Sha256Digest whole = sha256(text);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    Sha256 hasher;
    hasher.update(std::string_view(text).substr(0, at));
    EXPECT_EQ(hasher.update(std::string_view(text).substr(at)).finish(), whole) << at;
  }
}

TEST(Sha256, StartsAfreshAfterFinish) {
  Sha256 hasher;
  static_cast<void>(hasher.update("something else").finish());
  EXPECT_EQ(hasher.update("abc").finish().to_hex(), kOfAbc);
}

TEST(Sha256, CanBeMovedInTheMiddle) {
  Sha256 hasher;
  hasher.update("ab");
  Sha256 moved = std::move(hasher);
  EXPECT_EQ(moved.update("c").finish().to_hex(), kOfAbc);
}

TEST(Sha256Digest, ReadsItsHexBackInEitherCase) {
  const Sha256Digest digest = sha256("abc");
  EXPECT_EQ(Sha256Digest::from_hex(kOfAbc).value(), digest);
  std::string upper(kOfAbc);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(Sha256Digest::from_hex(upper).value(), digest);
}

TEST(Sha256Digest, RefusesAnotherLength) {
  EXPECT_EQ(Sha256Digest::from_hex("ba78").error().to_string(),
            "a SHA-256 has 64 hexadecimal digits, this one has 4 characters (invalid_argument)");
  EXPECT_FALSE(Sha256Digest::from_hex("").ok());
  EXPECT_FALSE(Sha256Digest::from_hex(std::string(65, '0')).ok());
}

TEST(Sha256Digest, NamesTheCharacterThatIsNotADigit) {
  std::string text(64, '0');
  for (const char wrong : std::string_view("g/:@`G \xff")) {
    text[6] = wrong;
    EXPECT_THAT(Sha256Digest::from_hex(text).error().message(), HasSubstr("character 7 is none"));
  }
}

TEST(Sha256Digest, RubbishIsRefusedOrReadsBack) {
  SeededRandom random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random.below(4) == 0 ? random.below(70) : 64, 'a');
    const auto changes = random.below(3);
    for (std::uint64_t c = 0; c < changes && !text.empty(); ++c) {
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    }
    const auto parsed = Sha256Digest::from_hex(text);
    if (parsed.ok()) {
      EXPECT_EQ(Sha256Digest::from_hex(parsed->to_hex()).value(), *parsed);
    }
  }
}

TEST(Sha256Digest, OrdersLikeItsHex) {
  std::set<Sha256Digest> digests;
  std::set<std::string> texts;
  for (const auto* text : {"a", "b", "c", "d"}) {
    digests.insert(sha256(text));
    texts.insert(sha256(text).to_hex());
  }
  std::vector<std::string> in_order;
  for (const auto& digest : digests) in_order.push_back(digest.to_hex());
  EXPECT_EQ(in_order, std::vector<std::string>(texts.begin(), texts.end()));
}

TEST(Sha256Digest, HashesLikeAKey) {
  std::unordered_set<Sha256Digest> digests{sha256("a"), sha256("b"), sha256("a")};
  EXPECT_EQ(digests.size(), 2U);
  EXPECT_NE(std::hash<Sha256Digest>()(sha256("a")), std::hash<Sha256Digest>()(sha256("b")));
}

TEST(ConstantTimeEqual, ComparesWholeTexts) {
  EXPECT_TRUE(constant_time_equal("", ""));
  EXPECT_TRUE(constant_time_equal("secret", "secret"));
  EXPECT_FALSE(constant_time_equal("secret", "Secret"));
  EXPECT_FALSE(constant_time_equal("secret", "secreT"));
  EXPECT_FALSE(constant_time_equal("secret", "secre"));
  EXPECT_TRUE(constant_time_equal(std::string_view("a\0b", 3), std::string_view("a\0b", 3)));
  EXPECT_FALSE(constant_time_equal(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

}  // namespace
}  // namespace clever::base
