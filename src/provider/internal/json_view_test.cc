#include "provider/internal/json_view.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "provider/internal/json_writer.h"

namespace clever::provider::internal {
namespace {

using nlohmann::json;

bool parses(std::string_view text) { return JsonDocument().parse(text); }

TEST(JsonView, ReadsNestedValues) {
  JsonDocument document;
  ASSERT_TRUE(document.parse(R"( {"a":[1,{"b":"x"}],"c":true,"d":null} )"));
  const JsonView root = document.root();
  EXPECT_EQ(root["a"].at(0).integer(), 1);
  EXPECT_EQ(root["a"].at(1)["b"].text(), "x");
  EXPECT_TRUE(root["c"].is_true());
  EXPECT_FALSE(root["d"].exists());
  EXPECT_EQ(root["a"].raw(), R"([1,{"b":"x"}])");
}

TEST(JsonView, AMissingMemberIsEmpty) {
  JsonDocument document;
  ASSERT_TRUE(document.parse(R"({"a":1})"));
  const JsonView nothing = document.root()["x"]["y"].at(3);
  EXPECT_FALSE(nothing.exists());
  EXPECT_EQ(nothing.text(), "");
  EXPECT_EQ(nothing.integer(), std::nullopt);
  EXPECT_FALSE(nothing.is("x"));
  EXPECT_EQ(nothing.raw(), "");
  EXPECT_TRUE(nothing.begin() == nothing.end());
  EXPECT_TRUE(document.root()["a"].begin() == document.root()["a"].end());
}

TEST(JsonView, DecodesEscapes) {
  JsonDocument document;
  ASSERT_TRUE(document.parse(R"(["\"\\\/\b\f\n\r\t","\u0041\u00e9\u20AC","\ud83d\ude00"])"));
  EXPECT_EQ(document.root().at(0).text(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(document.root().at(1).text(), "Aé€");
  EXPECT_EQ(document.root().at(2).text(), "😀");
}

TEST(JsonView, HalvesOfPairsAreReplaced) {
  JsonDocument document;
  ASSERT_TRUE(document.parse(R"(["\ud83d","\ude00","\ud83dx","\ud83d\u0041"])"));
  EXPECT_EQ(document.root().at(0).text(), "\xEF\xBF\xBD");
  EXPECT_EQ(document.root().at(1).text(), "\xEF\xBF\xBD");
  EXPECT_EQ(document.root().at(2).text(), "\xEF\xBF\xBDx");
  EXPECT_EQ(document.root().at(3).text(),
            "\xEF\xBF\xBD"
            "A");
}

TEST(JsonView, TextIsUtf8WhateverTheBytes) {
  JsonDocument document;
  ASSERT_TRUE(document.parse("\"a\xFF\""));
  EXPECT_EQ(document.root().text(), "a\xEF\xBF\xBD");
}

TEST(JsonView, KeysMayBeEscaped) {
  JsonDocument document;
  ASSERT_TRUE(document.parse(R"({"\u0061b":1})"));
  EXPECT_EQ(document.root()["ab"].integer(), 1);
}

TEST(JsonView, OfEqualKeysTheFirstIsRead) {
  JsonDocument document;
  ASSERT_TRUE(document.parse(R"({"a":1,"a":2})"));
  EXPECT_EQ(document.root()["a"].integer(), 1);
}

TEST(JsonView, CountsMayBeWrittenAsReals) {
  JsonDocument document;
  ASSERT_TRUE(document.parse("[12.0,1e3,1e300,-4,\"5\"]"));
  EXPECT_EQ(document.root().at(0).integer(), 12);
  EXPECT_EQ(document.root().at(1).integer(), 1000);
  EXPECT_EQ(document.root().at(2).integer(), std::nullopt);
  EXPECT_EQ(document.root().at(3).integer(), -4);
  EXPECT_EQ(document.root().at(4).integer(), std::nullopt);
}

TEST(JsonView, TheValuesOfAnObjectCanBeGoneThrough) {
  JsonDocument document;
  ASSERT_TRUE(document.parse(R"({"a":[1],"b":2,"c":{}})"));
  std::string seen;
  for (const JsonView value : document.root()) seen += std::string(value.raw()) + ";";
  EXPECT_EQ(seen, "[1];2;{};");
}

TEST(JsonDocument, RefusesInvalidJson) {
  for (const std::string_view text : {"",          " ",
                                      "{",         "[",
                                      "\"",        "{\"a\"}",
                                      "{\"a\":}",  "{a:1}",
                                      "[1,]",      "{\"a\":1,}",
                                      "01",        "-",
                                      "1.",        "1e",
                                      "+1",        ".5",
                                      "tru",       "nul",
                                      "fals",      "\"\\x\"",
                                      "\"\\u12\"", "\"\\",
                                      "\"\n\"",    "1 2",
                                      "[1 2]",     "{\"a\":1 \"b\":2}",
                                      "'a'",       "NaN"}) {
    EXPECT_FALSE(parses(text)) << text;
  }
}

TEST(JsonDocument, NothingIsLeftAfterAFailure) {
  JsonDocument document;
  ASSERT_TRUE(document.parse("[1]"));
  ASSERT_FALSE(document.parse("[1"));
  EXPECT_FALSE(document.root().exists());
}

TEST(JsonDocument, RefusesWhatIsNestedTooDeeply) {
  EXPECT_TRUE(parses(std::string(100, '[') + std::string(100, ']')));
  EXPECT_FALSE(parses(std::string(100'000, '[') + std::string(100'000, ']')));
}

TEST(JsonDocument, TellsObjectsFromArrays) {
  EXPECT_TRUE(is_json_object("{}"));
  EXPECT_FALSE(is_json_object("[]"));
  EXPECT_TRUE(is_json_array("[]"));
  EXPECT_FALSE(is_json_array("{}"));
}

TEST(JsonWriter, WritesEveryKindOfValue) {
  JsonWriter out;
  out.object([&] {
    out.text("t", "x");
    out.number("n", -3);
    out.real("r", 0.5);
    out.real("nan", std::numeric_limits<double>::quiet_NaN());
    out.boolean("yes", true);
    out.boolean("no", false);
    out.null("z");
    out.raw("raw", "[1]");
    out.array("list", [&] {
      out.text("a");
      out.raw("2");
      out.base64("data:", "foo");
      out.array([] {});
    });
    out.base64("b", "", "f");
  });
  EXPECT_EQ(out.take(),
            R"({"t":"x","n":-3,"r":0.5,"nan":0,"yes":true,"no":false,"z":null,"raw":[1],)"
            R"("list":["a",2,"data:Zm9v",[]],"b":"Zg=="})");
}

TEST(JsonWriter, EscapesAndMendsTexts) {
  EXPECT_EQ(json_string("\"\\\n\r\t\x01ü\xFF"), "\"\\\"\\\\\\n\\r\\t\\u0001ü\xEF\xBF\xBD\"");
}

// ---- properties: another library is the judge --------------------------------------------------

TEST(JsonProperties, WrittenTextIsReadAsItWas) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const std::string valid = base::to_valid_utf8(text);
    const std::string written = json_string(text);
    JsonDocument document;
    RC_ASSERT(document.parse(written));
    RC_ASSERT(document.root().text() == valid);
    RC_ASSERT(json::parse(written).get<std::string>() == valid);
  }));
}

rc::Gen<std::string> almost_json() {
  const auto piece = rc::gen::element<std::string>("{", "}", "[", "]", ",", ":", "\"a\"", "\"\\n\"",
                                                   "\"\\ud800\"", "1", "-2.5", "0", "true", "false",
                                                   "null", " ", "\n", "\\", "\"", "x", "00", "1.");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](auto pieces) {
    std::string text;
    for (const std::string& one : pieces) text += one;
    return text;
  });
}

TEST(JsonProperties, AcceptsWhatAnotherReaderAccepts) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *almost_json();
    // The other one refuses halves of pairs, which servers send, and numbers of any size.
    RC_PRE(text.find("ud800") == std::string::npos);
    RC_ASSERT(parses(text) == json::accept(text));
  }));
}

json random_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 6 : 4)) {
    case 0:
      return base::to_valid_utf8(*rc::gen::arbitrary<std::string>());
    case 1:
      return *rc::gen::arbitrary<std::int64_t>();
    case 2:
      return *rc::gen::arbitrary<bool>();
    case 3:
      return nullptr;
    case 4: {
      json list = json::array();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) list.push_back(random_json(depth - 1));
      return list;
    }
    default: {
      json object = json::object();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        object["k" + std::to_string(i)] = random_json(depth - 1);
      }
      return object;
    }
  }
}

void check_same(JsonView view, const json& value) {
  RC_ASSERT(view.is_object() == value.is_object());
  RC_ASSERT(view.is_array() == value.is_array());
  if (value.is_string()) RC_ASSERT(view.text() == value.get<std::string>());
  if (value.is_number()) RC_ASSERT(view.integer() == value.get<std::int64_t>());
  if (value.is_boolean()) RC_ASSERT(view.is_true() == value.get<bool>());
  if (value.is_null()) RC_ASSERT(!view.exists());
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) check_same(view.at(i), value[i]);
    RC_ASSERT(!view.at(value.size()).exists());
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) check_same(view[key], member);
  }
}

TEST(JsonProperties, ReadsTheValuesThatAnotherWriterWrote) {
  EXPECT_TRUE(rc::check([] {
    const json value = random_json(3);
    const std::string text = value.dump(*rc::gen::element(-1, 2));
    JsonDocument document;
    RC_ASSERT(document.parse(text));
    check_same(document.root(), value);
  }));
}

}  // namespace
}  // namespace clever::provider::internal
