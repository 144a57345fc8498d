#include "index/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace clever::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WordsOf, ACompoundIsItselfAndItsParts) {
  EXPECT_THAT(words_of("max_line"), ElementsAre("max_line", "max", "line"));
  EXPECT_THAT(words_of("parseHttpURL2"), ElementsAre("parsehttpurl2", "parse", "http", "url2"));
  EXPECT_THAT(words_of("HTTPServer"), ElementsAre("httpserver", "http", "server"));
}

TEST(WordsOf, ASimpleWordComesOnce) { EXPECT_THAT(words_of("Hello"), ElementsAre("hello")); }

TEST(WordsOf, KeepsOrderAndRepetitions) {
  EXPECT_THAT(words_of("one two, one"), ElementsAre("one", "two", "one"));
}

TEST(WordsOf, AnIdentifierWithOuterUnderscoresIsFoundWithoutThem) {
  EXPECT_THAT(words_of("__init__"), ElementsAre("__init__", "init"));
}

TEST(WordsOf, AbbreviationsInThePluralAreOnePart) {
  EXPECT_THAT(words_of("parseURLs"), ElementsAre("parseurls", "parse", "urls"));
}

TEST(WordsOf, DigitsStayWithWhatIsBeforeThem) {
  EXPECT_THAT(words_of("sha256Sum utf8"), ElementsAre("sha256sum", "sha256", "sum", "utf8"));
}

TEST(WordsOf, OneCharacterIsNotAWord) {
  EXPECT_THAT(words_of("a b_c 1 \xC3\xA9"), ElementsAre("b_c"));
}

TEST(WordsOf, DataAreNoWords) {
  EXPECT_THAT(words_of(std::string(65, 'x')), IsEmpty());
  EXPECT_THAT(words_of(std::string(100'000, 'x')), IsEmpty());
  EXPECT_THAT(words_of("1234567890abcdef"), IsEmpty());
  EXPECT_THAT(words_of("0x8086"), ElementsAre("0x8086"));
}

TEST(WordsOf, ALongNameIsFoundByItsParts) {
  const std::string name = "test_that_" + std::string(30, 'a') + "_and_" + std::string(30, 'b');
  EXPECT_THAT(words_of(name),
              ElementsAre("test", "that", std::string(30, 'a'), "and", std::string(30, 'b')));
}

TEST(WordsOf, OtherScriptsGoByTheirLetters) {
  EXPECT_THAT(words_of("Größe ÉTAT, Москва — ΑΒΓ"), ElementsAre("größe", "état", "москва", "αβγ"));
}

TEST(WordsOf, TextWithoutSpacesComesInPairs) {
  EXPECT_THAT(words_of("日本語 x"), ElementsAre("日本", "本語"));
}

TEST(WordsOf, SignsAndBrokenUtf8Separate) {
  EXPECT_THAT(words_of("left→right"), ElementsAre("left", "right"));
  EXPECT_THAT(words_of("left\xFFright\xC3"), ElementsAre("left", "right"));
  EXPECT_THAT(words_of("left\xC3\x28right"), ElementsAre("left", "right"));
}

TEST(WordsOf, SplitsPartsOfOtherScriptsByCase) {
  EXPECT_THAT(words_of("größeÄndern_now"),
              ElementsAre("größeändern_now", "größe", "ändern", "now"));
}

TEST(WordsOf, NothingHasNone) { EXPECT_THAT(words_of(""), IsEmpty()); }

void expect_same_stem(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    EXPECT_EQ(stem_of(word), stem_of(words.front())) << word << " and " << words.front();
  }
}

TEST(StemOf, FormsOfOneWordMeet) {
  expect_same_stem({"parse", "parses", "parsed", "parsing"});
  expect_same_stem({"query", "queries", "queried"});
  expect_same_stem({"stop", "stops", "stopped", "stopping"});
  expect_same_stem({"class", "classes"});
  expect_same_stem({"file", "files", "filed", "filing"});
  expect_same_stem({"match", "matches", "matching"});
  expect_same_stem({"cache", "caches", "cached", "caching"});
}

TEST(StemOf, WordsWithoutEndingsStay) {
  for (const std::string_view word : {"status", "this", "class", "bus", "string", "red", "x", ""}) {
    EXPECT_EQ(stem_of(word), word);
  }
}

TEST(StemOf, IsABeginningOfItsWord) {
  for (const std::string_view word : {"parsing", "entries", "stopped", "ing", "ed", "s", "sses"}) {
    EXPECT_TRUE(word.starts_with(stem_of(word))) << word;
  }
}

}  // namespace
}  // namespace clever::index
