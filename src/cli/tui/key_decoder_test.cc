#include "cli/tui/key_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "support/campaign.h"
#include "support/typed_keys.h"

namespace clever::cli {
namespace {

using KeyKind = Key::Kind;
using test::typed_keys;
using testing::ElementsAre;
using testing::IsEmpty;

Key character(char32_t code) { return {.code = code}; }
Key named(KeyKind kind) { return {.kind = kind}; }
Key ctrl(char32_t code) { return {.code = code, .ctrl = true}; }

TEST(KeyDecoderTest, Characters) {
  EXPECT_THAT(typed_keys("aä漢🙂"),
              ElementsAre(character('a'), character(U'ä'), character(U'漢'), character(U'🙂')));
}

TEST(KeyDecoderTest, ControlKeys) {
  EXPECT_THAT(typed_keys("\x03\r\t\x7f\b\x1a"),
              ElementsAre(ctrl('c'), named(KeyKind::kEnter), named(KeyKind::kTab),
                          named(KeyKind::kBackspace), named(KeyKind::kBackspace), ctrl('z')));
  EXPECT_THAT(typed_keys(std::string_view("\0", 1)), ElementsAre(ctrl(' ')));
  EXPECT_THAT(typed_keys("\x1d"), ElementsAre(ctrl(']')));
}

TEST(KeyDecoderTest, Sequences) {
  EXPECT_THAT(typed_keys("\x1b[A\x1b[B\x1bOC\x1b[D\x1b[H\x1bOF\x1b[Z"),
              ElementsAre(named(KeyKind::kUp), named(KeyKind::kDown), named(KeyKind::kRight),
                          named(KeyKind::kLeft), named(KeyKind::kHome), named(KeyKind::kEnd),
                          named(KeyKind::kBackTab)));
  EXPECT_THAT(typed_keys("\x1b[1~\x1b[3~\x1b[4~\x1b[5~\x1b[6~"),
              ElementsAre(named(KeyKind::kHome), named(KeyKind::kDelete), named(KeyKind::kEnd),
                          named(KeyKind::kPageUp), named(KeyKind::kPageDown)));
}

TEST(KeyDecoderTest, Modifiers) {
  EXPECT_THAT(typed_keys("\x1b[1;5C\x1b[1;3D"),
              ElementsAre(Key{.kind = KeyKind::kRight, .ctrl = true},
                          Key{.kind = KeyKind::kLeft, .alt = true}));
  EXPECT_THAT(
      typed_keys("\x1b"
                 "b\x1b\r"),
      ElementsAre(Key{.code = 'b', .alt = true}, Key{.kind = KeyKind::kEnter, .alt = true}));
}

TEST(KeyDecoderTest, NewerSequences) {
  EXPECT_THAT(typed_keys("\x1b[13;3u\x1b[97;5u\x1b[228u"),
              ElementsAre(Key{.kind = KeyKind::kEnter, .alt = true}, ctrl('a'), character(U'ä')));
}

TEST(KeyDecoderTest, AnEscapeAloneIsTheKey) {
  KeyDecoder decoder;
  EXPECT_THAT(decoder.feed("\x1b"), IsEmpty());
  EXPECT_TRUE(decoder.is_pending());
  EXPECT_THAT(decoder.flush(), ElementsAre(named(KeyKind::kEscape)));
  EXPECT_FALSE(decoder.is_pending());
  EXPECT_THAT(typed_keys("\x1b\x1b"),
              ElementsAre(named(KeyKind::kEscape), named(KeyKind::kEscape)));
}

TEST(KeyDecoderTest, PiecesMayEndAnywhere) {
  const std::string bytes = "ä\x1b[1;5C漢\x1b[200~two\nlines\x1b[201~x\x1b[5~";
  const std::vector<Key> whole = typed_keys(bytes);
  EXPECT_EQ(whole.size(), 6U);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    KeyDecoder decoder;
    std::vector<Key> keys = decoder.feed(bytes.substr(0, cut));
    for (Key& key : decoder.feed(bytes.substr(cut))) keys.push_back(std::move(key));
    EXPECT_EQ(keys, whole) << cut;
    EXPECT_FALSE(decoder.is_pending());
  }
}

TEST(KeyDecoderTest, APasteIsOneKey) {
  EXPECT_THAT(typed_keys("\x1b[200~a\x1b[Ab\x03\x1b[201~"),
              ElementsAre(Key{.kind = KeyKind::kPaste, .text = "a\x1b[Ab\x03"}));
}

TEST(KeyDecoderTest, ATooLongPasteIsCut) {
  const std::string text(KeyDecoder::kLongestPaste + 100, 'x');
  const auto keys = typed_keys("\x1b[200~" + text + "\x1b[201~y");
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].text.size(), KeyDecoder::kLongestPaste);
  EXPECT_EQ(keys[1], character('y'));
}

TEST(KeyDecoderTest, UnknownSequencesAreDropped) {
  EXPECT_THAT(typed_keys("\x1b[99~\x1b[?1;2c\x1b[Iq"), ElementsAre(character('q')));
  EXPECT_THAT(typed_keys("\x1b[4294967296;99999999999u\x1b[1114112uq"),
              testing::Contains(character('q')));
}

TEST(KeyDecoderTest, InvalidUtf8IsReplaced) {
  EXPECT_THAT(typed_keys("\xff"), ElementsAre(character(0xFFFD)));
  EXPECT_THAT(typed_keys("\xe6q"), ElementsAre(character(0xFFFD), character('q')));
  EXPECT_THAT(typed_keys("\xe6\xbc"), testing::Each(character(0xFFFD)));
}

// Whatever comes, in whatever pieces: it ends, nothing stays behind, and pieces make no difference
// to what is not torn by time.
TEST(KeyDecoderTest, TakesAnyBytes) {
  base::SeededRandom random(1);
  constexpr std::string_view kBytes = "\x1b\x1b\x1b[[O;;0123456789~uABCZ?\xc3\xa4\xff\xe6\x03\r ab";
  const std::size_t rounds = test::campaign(3000, 200'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string bytes;
    for (std::uint64_t i = random.below(40); i > 0; --i) {
      bytes.push_back(random.below(8) == 0 ? static_cast<char>(random.below(256))
                                           : kBytes[random.below(kBytes.size())]);
    }
    const std::size_t cut = random.below(bytes.size() + 1);
    KeyDecoder one;
    KeyDecoder two;
    std::vector<Key> whole = one.feed(bytes);
    std::vector<Key> pieces = two.feed(bytes.substr(0, cut));
    for (Key& key : two.feed(bytes.substr(cut))) pieces.push_back(std::move(key));
    EXPECT_EQ(whole, pieces);
    static_cast<void>(one.flush());
    EXPECT_FALSE(one.is_pending());
  }
}

}  // namespace
}  // namespace clever::cli
