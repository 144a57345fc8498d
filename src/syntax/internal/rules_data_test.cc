#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

// Bash, JSON, YAML and Markdown.
namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;

TEST(RulesBash, DefinesFunctionsAndVariables) {
  const Syntax syntax = parsed(Language::kBash, R"(source lib.sh
. "$folder/other.sh"
. "$unknown"
NAME=value
# Doc of f
f() {
  local x=1
  y=2
  helper "$x" $(inner a) | grep b
}
function g { f; "$command" "$NAME"; }
)");
  EXPECT_THAT(definitions(syntax), ElementsAre("variable NAME", "function f", "function g"));
  EXPECT_THAT(references(syntax, ReferenceKind::kCall),
              ElementsAre("f", "grep", "helper", "inner"));
  EXPECT_THAT(references(syntax, ReferenceKind::kOther),
              ElementsAre("NAME", "command", "folder", "unknown"));
  EXPECT_THAT(syntax.imports, ElementsAre("lib.sh", "other.sh"));
  EXPECT_EQ(symbol_named(syntax, "f")->range.first_line, 5U);
}

TEST(RulesData, JsonHasTheKeysOfItsFirstLevels) {
  const Syntax syntax = parsed(
      Language::kJson, R"({ "a": 1, "b": { "c": [ { "d": 2 } ], "e": { "f": { "g": 1 } } } })");
  EXPECT_THAT(definitions(syntax),
              ElementsAre("key a", "key b", "  key c", "  key e", "    key f"));
}

TEST(RulesData, AListAtTheTopIsLookedInto) {
  EXPECT_THAT(definitions(parsed(Language::kJson, R"([{"a": 1}, {"b": 2}])")),
              ElementsAre("key a", "key b"));
}

TEST(RulesData, YamlHasTheKeysOfItsFirstLevels) {
  constexpr std::string_view kText = R"(# what it is
name: x
on: [push]
jobs:
  "build":
    steps:
      - run: make
  test: {deep: {deeper: {deepest: 1}}}
)";
  const Syntax syntax = parsed(Language::kYaml, kText);
  EXPECT_THAT(definitions(syntax), ElementsAre("key name", "key on", "key jobs", "  key build",
                                               "    key steps", "  key test", "    key deep"));
  EXPECT_EQ(signature(syntax, kText, "jobs"), "jobs:");
  EXPECT_EQ(symbol_named(syntax, "name")->range.first_line, 1U);
}

constexpr std::string_view kNote = R"(See [there](other.md#part "title") and <https://example.com>.

# Title `code`

Call `parse_line(2)` or [the docs](docs/a.md), not [the web](https://example.com/x.md).
[ref]: docs/b.md

## Sub

Underlined
----------

```c
# no heading
```

# Last
)";

TEST(RulesMarkdown, HeadingsAreSections) {
  EXPECT_THAT(definitions(parsed(Language::kMarkdown, kNote)),
              ElementsAre("section Title `code`", "  section Sub", "    section Underlined",
                          "section Last"));
}

TEST(RulesMarkdown, LinksToFilesAreImportsAndCodeIsUsed) {
  const Syntax syntax = parsed(Language::kMarkdown, kNote);
  EXPECT_THAT(syntax.imports, testing::IsSupersetOf({"other.md", "docs/a.md"}));
  EXPECT_THAT(references(syntax, ReferenceKind::kOther), ElementsAre("code", "parse_line"));
}

TEST(RulesMarkdown, ASectionEndsWhereTheNextBegins) {
  const Syntax syntax = parsed(Language::kMarkdown, "# A\n\ntext\n\n# B\n");
  EXPECT_EQ(symbol_named(syntax, "A")->range.last_line, 3U);
  EXPECT_EQ(symbol_named(syntax, "B")->range, (Range{11, 14, 5, 5}));
}

}  // namespace
}  // namespace clever::syntax::internal
