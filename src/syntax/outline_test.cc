#include "syntax/outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/random.h"
#include "syntax/testing/exercise.h"
#include "syntax/testing/syntax_of.h"

namespace clever::syntax {
namespace {

using internal::parsed;

constexpr std::string_view kText = R"(// A licence
// of two lines.

#include "a.h"

/// A shape.
class Shape {
 public:
  /// In metres.
  int area() const;
  int grow() {
    size_ += 1;
    return size_;
  }

 private:
  int size_ = 0;
  int other_;
};

int twice(int value) {
  struct Local { int x; };
  return value * 2;
}
)";

std::string at(Depth depth, const Range& range = {}) {
  return outline(parsed(Language::kCpp, kText), "a/shape.cc", kText, depth, range);
}

TEST(Outline, AListingIsOneLine) {
  EXPECT_EQ(at(Depth::kListing), "a/shape.cc (cpp, 24 lines, 291 bytes)\n");
}

TEST(Outline, MembersAreNamesWithKindsAndLines) {
  EXPECT_EQ(at(Depth::kMembers),
            "class Shape 6-19\n"
            "  method area 9-10\n"
            "  method grow 11-14\n"
            "  field size_ 17, other_ 18\n"
            "function twice 21-24\n");
}

TEST(Outline, SignaturesLeaveBodiesOutAndSaySo) {
  EXPECT_EQ(at(Depth::kSignatures),
            "… 5 lines\n"
            "/// A shape.\n"
            "class Shape {\n"
            " public:\n"
            "  /// In metres.\n"
            "  int area() const;\n"
            "  int grow() {\n"
            " … 5 lines\n"
            "  int size_ = 0;\n"
            "  int other_;\n"
            "};\n"
            "int twice(int value) {\n"
            "… 3 lines\n");
}

TEST(Outline, FullIsTheText) { EXPECT_EQ(at(Depth::kFull), kText); }

TEST(Outline, ARangeIsShownAlone) {
  const Syntax syntax = parsed(Language::kCpp, kText);
  const Range twice = internal::symbol_named(syntax, "twice")->range;
  EXPECT_EQ(at(Depth::kMembers, twice), "function twice 21-24\n");
  EXPECT_EQ(at(Depth::kSignatures, twice), "int twice(int value) {\n… 3 lines\n");
  EXPECT_TRUE(at(Depth::kFull, twice).starts_with("int twice("));
  EXPECT_EQ(at(Depth::kFull, {.begin = 280, .end = 9000}), kText.substr(280));
}

TEST(Outline, TextHasItsFirstLines) {
  std::string text;
  for (int line = 1; line <= 20; ++line) {
    text += "line " + std::to_string(line) + "\n";
  }
  const std::string shown = outline({}, "notes", text, Depth::kSignatures);
  EXPECT_TRUE(shown.starts_with("line 1\nline 2\n"));
  EXPECT_TRUE(shown.ends_with("line 12\n… 8 lines\n")) << shown;
  EXPECT_EQ(outline({}, "notes", text, Depth::kMembers), "notes (text, 20 lines, 151 bytes)\n");
}

TEST(Outline, AnEmptyFileIsListed) {
  EXPECT_EQ(outline({}, "empty", "", Depth::kSignatures), "empty (text, 0 lines, 0 bytes)\n");
  EXPECT_EQ(outline({}, "empty", "", Depth::kFull), "");
}

TEST(Outline, ALongLineIsCut) {
  const std::string text = "x = \"" + std::string(500, 'y') + "\"\n";
  EXPECT_EQ(outline(parsed(Language::kPython, text), "a.py", text, Depth::kSignatures),
            text.substr(0, 240) + "…\n");
}

TEST(Outline, ALongCommentIsCut) {
  std::string text;
  for (int line = 0; line < 20; ++line) {
    text += "# comment\n";
  }
  text += "def f(): return 1\n";
  const std::string shown =
      outline(parsed(Language::kPython, text), "a.py", text, Depth::kSignatures);
  EXPECT_TRUE(shown.ends_with("# comment\n… 14 lines\ndef f(): return 1\n")) << shown;
}

TEST(Outline, DepthsHaveNames) {
  EXPECT_EQ(to_string(Depth::kListing), "listing");
  EXPECT_EQ(to_string(Depth::kMembers), "members");
  EXPECT_EQ(to_string(Depth::kSignatures), "signatures");
  EXPECT_EQ(to_string(Depth::kFull), "full");
}

TEST(Chunks, ADefinitionIsAChunk) {
  std::string text;
  for (const char* name : {"first", "second", "third"}) {
    text += "def " + std::string(name) + "():\n" + "    x = '" + std::string(600, 'x') + "'\n\n";
  }
  const Syntax syntax = parsed(Language::kPython, text);
  const std::vector<Chunk> pieces = chunks(syntax, text);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[1].symbol, 1);
  EXPECT_TRUE(text.substr(pieces[1].range.begin).starts_with("def second"));
  EXPECT_EQ(pieces[1].range.first_line, 4U);
}

TEST(Chunks, SmallDefinitionsShareOne) {
  constexpr std::string_view kSmall = "int a;\nint b;\nint c;\n";
  const std::vector<Chunk> pieces = chunks(parsed(Language::kC, kSmall), kSmall);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].symbol, -1);
}

TEST(Chunks, TextIsCutAtParagraphsThenLinesThenCharacters) {
  const std::string paragraph = std::string(60, 'a') + "\n";
  const std::string text = paragraph + "\n" + paragraph + paragraph + "\n" + std::string(150, 'b');
  const std::vector<Chunk> pieces = chunks({}, text, 100);
  ASSERT_EQ(pieces.size(), 5U);
  EXPECT_EQ(pieces[1].range.begin, 62U);
  EXPECT_EQ(pieces[2].range.begin, 123U);
  EXPECT_EQ(pieces[3].range.end - pieces[3].range.begin, 100U);
}

TEST(Chunks, AnEmptyTextHasNone) { EXPECT_THAT(chunks({}, ""), testing::IsEmpty()); }

// Texts made of the words of all languages: mostly broken, sometimes nested.
std::string random_text(base::SeededRandom& random) {
  static constexpr std::array<std::string_view, 40> kWords{
      "class ", "A",   "(",    ")",       "{",   "}",       "[",     "]",
      ";\n",    ":\n", "\n",   "  ",      "\t",  "def ",    "fn ",   "if ",
      "end",    "\"",  "'",    "`",       "//",  "/*",      "*/",    "#",
      "<<E ",   "E\n", "\n\n", "struct ", "= 1", ", ",      "${",    "->",
      "- ",     "> ",  "\xFF", "é",       "\\",  "import ", "func ", std::string_view("\0", 1)};
  std::string text;
  const std::uint64_t words = random.next() % 200;
  for (std::uint64_t word = 0; word < words; ++word) {
    text += kWords[random.next() % kWords.size()];
  }
  return text;
}

TEST(Syntax, PromisesHoldForAnyText) {
  base::SeededRandom random(7);
  for (int round = 0; round < 40; ++round) {
    const std::string text = random_text(random);
    for (std::size_t index = 0; index < kLanguages; ++index) {
      const auto language = static_cast<Language>(index);
      ASSERT_EQ(internal::broken_promise(language, text), "") << to_string(language) << "\n"
                                                              << text;
    }
  }
}

}  // namespace
}  // namespace clever::syntax
