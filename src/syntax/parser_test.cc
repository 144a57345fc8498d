#include "syntax/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/utf8.h"
#include "syntax/testing/syntax_of.h"

namespace clever::syntax {
namespace {

using internal::definitions;
using internal::parsed;
using testing::ElementsAre;
using testing::IsEmpty;

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t index = 0; index < times; ++index) {
    result += text;
  }
  return result;
}

Syntax parsed_within(const ParseLimits& limits, Language language, std::string_view content) {
  return Parser(limits).parse(language, content);
}

TEST(Parser, TextHasNoSyntax) {
  const Syntax syntax = parsed(Language::kText, "int f();");
  EXPECT_EQ(syntax, Syntax{});
}

TEST(Parser, BrokenCodeHidesOnlyItself) {
  const Syntax syntax =
      parsed(Language::kC, "int a(void) { return 1; }\n@@ ;\nint b(void) { return 2; }\n");
  EXPECT_TRUE(syntax.has_errors);
  EXPECT_FALSE(syntax.truncated);
  EXPECT_THAT(definitions(syntax), ElementsAre("function a", "function b"));
}

TEST(Parser, OneParserReadsManyLanguages) {
  Parser parser;
  const Syntax first = parser.parse(Language::kC, "int a; int b;");
  EXPECT_THAT(definitions(parser.parse(Language::kPython, "def f(): pass")),
              ElementsAre("function f"));
  EXPECT_EQ(parser.parse(Language::kC, "int a; int b;"), first);
  Parser moved = std::move(parser);
  EXPECT_EQ(moved.parse(Language::kC, "int a; int b;"), first);
}

TEST(Parser, ALargerFileIsText) {
  const Syntax syntax = parsed_within({.largest = 8}, Language::kC, "int abc;\n");
  EXPECT_EQ(syntax.language, Language::kText);
  EXPECT_TRUE(syntax.truncated);
}

TEST(Parser, AFileWithALongerLineIsText) {
  const ParseLimits limits{.longest_line = 8};
  EXPECT_TRUE(parsed_within(limits, Language::kC, "int a;\nint abcd;\n").truncated);
  EXPECT_FALSE(parsed_within(limits, Language::kC, "int a;\nint abc;\nint d;\n").truncated);
  EXPECT_TRUE(parsed_within(limits, Language::kC, "int a;\nint abcdefgh;").truncated);
}

TEST(Parser, SymbolsHaveALimit) {
  const Syntax syntax = parsed_within({.most_symbols = 2}, Language::kC, "int a;int b;int c;");
  EXPECT_THAT(definitions(syntax), ElementsAre("variable a", "variable b"));
  EXPECT_TRUE(syntax.truncated);
}

TEST(Parser, ReferencesHaveALimit) {
  const Syntax syntax =
      parsed_within({.most_references = 2}, Language::kPython, "a(b)\na(c)\nd()\n");
  EXPECT_EQ(syntax.references.size(), 2U);
  EXPECT_EQ(syntax.references.front().count, 2U);
  EXPECT_TRUE(syntax.truncated);
}

TEST(Parser, ImportsHaveALimit) {
  std::string text;
  for (int index = 0; index < 2001; ++index) {
    text += "import m" + std::to_string(index) + "\n";
  }
  const Syntax syntax = parsed(Language::kPython, text);
  EXPECT_EQ(syntax.imports.size(), 2000U);
  EXPECT_TRUE(syntax.truncated);
}

TEST(Parser, DepthHasALimit) {
  const std::string text = "x = " + repeated("[", 1000) + repeated("]", 1000) + "\ny = 1\n";
  const Syntax syntax = parsed(Language::kPython, text);
  EXPECT_TRUE(syntax.truncated);
  EXPECT_THAT(definitions(syntax), ElementsAre("variable x", "variable y"));
}

TEST(Parser, TreatsInputBeyondTheGrammarAsText) {
  EXPECT_TRUE(parsed(Language::kMarkdown, repeated(">", 1000)).truncated);
  EXPECT_TRUE(parsed(Language::kYaml, repeated("- ", 1000)).truncated);
  EXPECT_TRUE(parsed(Language::kPython, repeated(" ", 1000) + "x").truncated);
  EXPECT_TRUE(parsed(Language::kRuby, "x = <<" + repeated("A", 300)).truncated);
  EXPECT_TRUE(parsed(Language::kBash, "cat <<'" + repeated("A", 300)).truncated);
  EXPECT_FALSE(parsed(Language::kRuby, "x = <<A + <<~'B'\nA\nB\n").truncated);
  EXPECT_FALSE(parsed(Language::kMarkdown, repeated("-", 1000)).truncated);
}

TEST(Parser, AStopEndsIt) {
  base::StopSource source;
  source.request_stop();
  const Syntax syntax =
      Parser().parse(Language::kC, repeated("int f(int a) { return a; }\n", 1000), source.token());
  EXPECT_TRUE(syntax.truncated);
  EXPECT_THAT(syntax.symbols, IsEmpty());
}

TEST(Parser, AnEndlessErrorIsGivenUp) {
  const std::string text = repeated(repeated("[", 1000) + "\n", 100);
  EXPECT_TRUE(parsed(Language::kC, text).truncated);
}

TEST(Parser, NamesAreValidText) {
  for (const Symbol& symbol : parsed(Language::kMarkdown, "# caf\xE9 \xFF\n").symbols) {
    EXPECT_TRUE(base::is_utf8(symbol.name)) << symbol.name;
  }
}

TEST(Parser, ANameIsCutWhereItIsEndless) {
  const Syntax syntax = parsed(Language::kMarkdown, "# " + repeated("n", 1000) + "\n");
  ASSERT_EQ(syntax.symbols.size(), 1U);
  EXPECT_EQ(syntax.symbols.front().name.size(), 256U);
}

TEST(Parser, ManyNamesAreAllKept) {
  std::string text;
  for (int index = 0; index < 5000; ++index) {
    text += "n" + std::to_string(index) + "\n";
  }
  Parser parser;
  EXPECT_EQ(parser.parse(Language::kPython, text).references.size(), 5000U);
  EXPECT_EQ(parser.parse(Language::kPython, "a\nb\n").references.size(), 2U);
  EXPECT_EQ(parser.parse(Language::kPython, text).references.size(), 5000U);
}

TEST(Parser, KindsHaveNames) {
  EXPECT_EQ(to_string(SymbolKind::kFunction), "function");
  EXPECT_EQ(to_string(SymbolKind::kKey), "key");
}

}  // namespace
}  // namespace clever::syntax
