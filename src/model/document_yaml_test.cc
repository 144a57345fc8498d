#include "model/document_yaml.h"

#include <gtest/gtest.h>

namespace clever::model {
namespace {

void check_yaml(const Document& document, std::string_view expected) {
  EXPECT_EQ(to_yaml(document), expected);
}

TEST(YamlTest, WritesScalars) {
  check_yaml({}, "null\n");
  check_yaml(true, "true\n");
  check_yaml(false, "false\n");
  check_yaml(-3, "-3\n");
  check_yaml(1.5, "1.5\n");
  check_yaml("openai/gpt-4o", "openai/gpt-4o\n");
}

TEST(YamlTest, QuotesWhatYamlWouldReadOtherwise) {
  for (const char* text :
       {"true", "No",  "NULL", "on",   "y",         "~",          "",       "12",      "1e3",
        "-",    "- a", "a: b", "a #b", "trailing ", " leading",   "*alias", "&anchor", "!tag",
        "@x",   "`x",  "{a}",  "[a]",  ".inf",      "2026-01-01", "é"}) {
    check_yaml(text, "\"" + std::string(text) + "\"\n");
  }
  check_yaml("two\nlines", "\"two\\nlines\"\n");
}

TEST(YamlTest, NestsMapsAndLists) {
  Document list = Document::list();
  list.push("a").push(Document::map().set("k", 1).set("l", 2));
  Document inner = Document::list();
  inner.push(1).push(2);
  list.push(inner);
  check_yaml(Document::map().set("list", list).set("map", Document::map().set("deep", "x")),
             "list:\n"
             "  - a\n"
             "  - k: 1\n"
             "    l: 2\n"
             "  - - 1\n"
             "    - 2\n"
             "map:\n"
             "  deep: x\n");
}

TEST(YamlTest, WritesEmptyCollectionsOnTheLineOfTheirKey) {
  check_yaml(Document::map().set("l", Document::list()).set("m", Document::map()),
             "l: []\nm: {}\n");
}

TEST(YamlTest, QuotesKeysLikeValues) {
  check_yaml(Document::map().set("a: b", 1), "\"a: b\": 1\n");
}

}  // namespace
}  // namespace clever::model
