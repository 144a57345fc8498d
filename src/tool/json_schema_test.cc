#include "tool/json_schema.h"

#include <gtest/gtest.h>

namespace clever::tool {
namespace {

std::shared_ptr<const JsonSchema> schema(std::string_view text) {
  return JsonSchema::compile(text).value();
}

void check_fits(std::string_view schema_text, std::string_view input) {
  const auto checked = schema(schema_text)->check(input);
  EXPECT_TRUE(checked.ok()) << schema_text << " " << input << ": " << checked.error().message();
}

void check_input_wrong(std::string_view schema_text, std::string_view input,
                       std::string_view message) {
  const auto checked = schema(schema_text)->check(input);
  ASSERT_FALSE(checked.ok()) << schema_text << " " << input;
  EXPECT_EQ(checked.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(checked.error().sentence(), message);
}

void check_bad_schema(std::string_view text, std::string_view message) {
  const auto compiled = JsonSchema::compile(text);
  ASSERT_FALSE(compiled.ok()) << text;
  EXPECT_EQ(compiled.error().message(), message);
}

constexpr std::string_view kEdit = R"({
  "type": "object",
  "properties": {
    "path": {"type": "string", "minLength": 1},
    "edits": {"type": "array", "minItems": 1, "items": {
      "type": "object",
      "properties": {"old_text": {"type": "string"}, "times": {"type": "integer", "minimum": 1}},
      "required": ["old_text"], "additionalProperties": false}}
  },
  "required": ["path"],
  "additionalProperties": false
})";

TEST(JsonSchema, InputThatFitsComesBackInOneForm) {
  const auto checked = schema(kEdit)->check(R"( {"path" : "a", "path": "b"} )");
  EXPECT_EQ(checked.value(), R"({"path":"b"})");
}

TEST(JsonSchema, ProblemsNameThePlace) {
  check_input_wrong(kEdit, R"({"path":"a","edits":[{"old_text":3}]})",
                    "/edits/0/old_text: must be a string, but is an integer (3)");
}

TEST(JsonSchema, ReportsSeveralProblemsAtOnce) {
  check_input_wrong(kEdit, R"({"edits":[{"old_text":"x","times":0},{}]})",
                    "the input: the property \"path\" is missing\n"
                    "/edits/0/times: must be at least 1, but is 0\n"
                    "/edits/1: the property \"old_text\" is missing");
}

TEST(JsonSchema, AnUnknownPropertyGetsASuggestion) {
  check_input_wrong(
      kEdit, R"({"path":"a","edit":[]})",
      "the input: has no property \"edit\"; did you mean \"edits\"? Known: edits, path");
  check_input_wrong(kEdit, R"({"path":"a","zzzzzz":1})",
                    "the input: has no property \"zzzzzz\"; known: edits, path");
  check_input_wrong(R"({"additionalProperties":false})", R"({"a":1})",
                    "the input: has no property \"a\"; it must be {}");
}

TEST(JsonSchema, MoreThanEightProblemsAreCounted) {
  const auto checked = schema(R"({"items":{"type":"string"}})")->check("[1,2,3,4,5,6,7,8,9,10]");
  ASSERT_FALSE(checked.ok());
  EXPECT_TRUE(checked.error().message().ends_with("\n… and 2 more")) << checked.error().message();
}

TEST(JsonSchema, TextThatIsNotJsonIsShownWhereItBreaks) {
  check_input_wrong(kEdit, "", "the input: is empty: at least {} is needed");
  check_input_wrong(
      kEdit, R"({"path":})",
      "the input: not JSON: unexpected '}'; expected '[', '{', or a literal at byte 9, "
      "after `{\"path\":}`");
}

TEST(JsonSchema, BytesThatAreNoTextAreRefused) {
  const auto checked = schema("{}")->check("\"\xFF\"");
  ASSERT_FALSE(checked.ok());
  EXPECT_TRUE(checked.error().message().starts_with("not JSON: invalid string: ill-formed UTF-8"))
      << checked.error().message();
}

TEST(JsonSchema, NumbersBeyondMeasureAreRefused) {
  const auto checked = schema("{}")->check("1e999");
  ASSERT_FALSE(checked.ok());
  EXPECT_TRUE(checked.error().message().starts_with("not JSON: ")) << checked.error().message();
}

TEST(JsonSchema, SizeAndDepthAreLimited) {
  const auto any = schema("{}");
  EXPECT_EQ(any->check(std::string(JsonSchema::kLargestInput + 1, ' ')).error().code(),
            base::ErrorCode::kResourceExhausted);
  EXPECT_TRUE(any->check(std::string(64, '[') + std::string(64, ']')).ok());
  EXPECT_EQ(any->check(std::string(65, '[') + std::string(65, ']')).error().sentence(),
            "the input: is nested deeper than 64 levels; make it flatter");
  EXPECT_TRUE(any->check(R"(["[[[[[\"[[["])").ok());
  EXPECT_FALSE(any->check(std::string(100'000, '[')).ok());
}

TEST(JsonSchema, Types) {
  check_fits(R"({"type":"integer"})", "3");
  check_fits(R"({"type":"integer"})", "3.0");
  check_input_wrong(R"({"type":"integer"})", "3.5",
                    "the input: must be an integer, but is a number (3.5)");
  check_fits(R"({"type":"number"})", "3");
  check_input_wrong(R"({"type":"number"})", "\"3\"",
                    "the input: must be a number, but is a string (\"3\")");
  check_input_wrong(R"({"type":"boolean"})", "null",
                    "the input: must be true or false, but is null");
  check_input_wrong(R"({"type":"object"})", "[1]",
                    "the input: must be an object, but is a list ([1])");
  check_input_wrong(R"({"type":"array"})", "{}",
                    "the input: must be a list, but is an object ({})");
  check_input_wrong(R"({"type":"null"})", "true",
                    "the input: must be null, but is a boolean (true)");
  check_fits(R"({"type":["string","null"]})", "null");
  check_input_wrong(R"({"type":["string","null"]})", "1",
                    "the input: must be a string or null, but is an integer (1)");
}

TEST(JsonSchema, LongValuesAreShownShort) {
  const auto message =
      schema(R"({"type":"integer"})")->check("\"" + std::string(500, 'x') + "\"").error().message();
  EXPECT_LT(message.size(), 150U);
  EXPECT_NE(message.find("…"), std::string::npos);
  std::string list = "[0";
  for (int i = 0; i < 100; ++i) list += ",0";
  EXPECT_EQ(schema(R"({"type":"string"})")->check(list + "]").error().message(),
            "the input: must be a string, but is a list (a list of 101)");
}

TEST(JsonSchema, Values) {
  check_fits(R"({"enum":["a",1]})", "1.0");
  check_input_wrong(R"({"enum":["a",1]})", "\"b\"",
                    "the input: must be one of \"a\", 1, but is \"b\"");
  check_input_wrong(R"({"const":{"a":1}})", "2", "the input: must be {\"a\":1}, but is 2");
}

TEST(JsonSchema, ManyValuesAreNotAllListed) {
  std::string values = "0";
  for (int i = 1; i < 50; ++i) values += "," + std::to_string(i);
  const auto checked = schema(R"({"enum":[)" + values + "]}")->check("99");
  EXPECT_NE(checked.error().message().find("19, …, but is 99"), std::string::npos);
}

TEST(JsonSchema, Numbers) {
  check_input_wrong(R"({"maximum":5})", "6", "the input: must be at most 5, but is 6");
  check_input_wrong(R"({"exclusiveMinimum":5})", "5", "the input: must be more than 5, but is 5");
  check_input_wrong(R"({"exclusiveMaximum":5})", "5.0",
                    "the input: must be less than 5, but is 5.0");
  check_fits(R"({"multipleOf":0.1})", "0.3");
  check_fits(R"({"multipleOf":3})", "-9");
  check_input_wrong(R"({"multipleOf":3})", "10", "the input: must be a multiple of 3, but is 10");
  check_input_wrong(R"({"multipleOf":3})", "-10", "the input: must be a multiple of 3, but is -10");
}

TEST(JsonSchema, Strings) {
  check_fits(R"({"maxLength":2})", "\"€€\"");
  check_input_wrong(R"({"maxLength":2})", "\"abc\"",
                    "the input: must have at most 2 characters, but has 3");
  check_input_wrong(R"({"minLength":1})", "\"\"",
                    "the input: must have at least 1 character, but has 0");
  check_fits(R"({"pattern":"^a+$"})", "\"aaa\"");
  check_input_wrong(R"({"pattern":"^a+$"})", "\"b\"",
                    "the input: must match the regular expression `^a+$`, but is \"b\"");
}

TEST(JsonSchema, APatternThatBacktracksElsewhereIsQuick) {
  const std::string text = "\"" + std::string(100'000, 'a') + "!\"";
  EXPECT_FALSE(schema(R"({"pattern":"^(a+)+$"})")->check(text).ok());
}

TEST(JsonSchema, APatternThatIsNotKnownIsNotChecked) {
  check_fits(R"({"pattern":"(?=x)y"})", "\"z\"");
  check_fits(R"~({"patternProperties":{"(?=x)":{"type":"null"}},"additionalProperties":false})~",
             R"({"a":1})");
}

TEST(JsonSchema, Lists) {
  check_input_wrong(R"({"minItems":1})", "[]",
                    "the input: must have at least 1 element, but has 0");
  check_input_wrong(R"({"maxItems":1})", "[1,2]",
                    "the input: must have at most 1 element, but has 2");
  check_input_wrong(R"({"uniqueItems":true})", "[1,2,1.0]",
                    "the input: must not have an element twice, but has 1.0");
  check_fits(R"({"uniqueItems":true})", R"([1,"1",[1]])");
  check_fits(R"({"contains":{"type":"string"}})", R"([1,"a"])");
  check_input_wrong(R"({"contains":{"type":"string"}})", "[1]",
                    "the input: must have an element that fits {\"type\":\"string\"}");
}

TEST(JsonSchema, ListsWithASchemaForEachPlace) {
  constexpr std::string_view kPair =
      R"({"items":[{"type":"string"},{"type":"integer"}],"additionalItems":false})";
  check_fits(kPair, R"(["a",1])");
  check_input_wrong(kPair, R"(["a","b"])", "/1: must be an integer, but is a string (\"b\")");
  check_input_wrong(kPair, R"(["a",1,2])", "/2: is not allowed here; leave it out");
  check_input_wrong(R"({"prefixItems":[{"type":"string"}],"items":{"type":"null"}})", R"(["a",1])",
                    "/1: must be null, but is an integer (1)");
}

TEST(JsonSchema, Objects) {
  check_input_wrong(R"({"minProperties":1})", "{}",
                    "the input: must have at least 1 properties, but has 0");
  check_input_wrong(R"({"maxProperties":0})", R"({"a":1})",
                    "the input: must have at most 0 properties, but has 1");
  check_input_wrong(R"({"additionalProperties":{"type":"string"}})", R"({"a/b~":1})",
                    "/a~1b~0: must be a string, but is an integer (1)");
  check_fits(R"({"additionalProperties":true})", R"({"a":1})");
  check_input_wrong(R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})",
                    "/ab: has a name that does not fit {\"maxLength\":1}");
  check_input_wrong(
      R"({"patternProperties":{"^x":{"type":"string"}},"additionalProperties":false})",
      R"({"x1":1,"y":2})",
      "/x1: must be a string, but is an integer (1)\n"
      "the input: has no property \"y\"; it must be {}");
}

TEST(JsonSchema, Dependencies) {
  constexpr std::string_view kCard =
      R"({"dependencies":{"card":["address"],"gift":{"required":["note"]}}})";
  check_fits(kCard, "{}");
  check_fits(kCard, R"({"card":1,"address":2})");
  check_input_wrong(kCard, R"({"card":1})",
                    "the input: has \"card\" and therefore needs \"address\" too");
  check_input_wrong(kCard, R"({"gift":1})", "the input: the property \"note\" is missing");
}

TEST(JsonSchema, Combinations) {
  check_input_wrong(R"({"allOf":[{"type":"integer"},{"minimum":3}]})", "2",
                    "the input: must be at least 3, but is 2");
  check_input_wrong(R"({"not":{"type":"string"}})", "\"a\"",
                    "the input: must not fit {\"type\":\"string\"}, but is \"a\"");
  check_input_wrong(R"({"oneOf":[{"type":"integer"},{"minimum":3}]})", "4",
                    "the input: fits 2 of the 2 allowed forms, but must fit exactly one");
  check_fits(R"({"oneOf":[{"type":"integer"},{"type":"string"}]})", "4");
}

TEST(JsonSchema, TheNearestOfSeveralFormsIsExplained) {
  check_input_wrong(R"({"anyOf":[{"type":"string"},
                           {"type":"object","properties":{"a":{"type":"integer"}}}]})",
                    R"({"a":"x"})",
                    "the input: fits none of the 2 allowed forms; the nearest wants:\n"
                    "/a: must be an integer, but is a string (\"x\")");
  check_input_wrong(R"({"anyOf":[{"allOf":[{"minimum":9},{"maximum":1}]},{"minimum":7}]})", "5",
                    "the input: fits none of the 2 allowed forms; the nearest wants:\n"
                    "the input: must be at least 7, but is 5");
}

TEST(JsonSchema, Conditions) {
  constexpr std::string_view kIf = R"({"if":{"type":"integer"},"then":{"minimum":3},
                                       "else":{"type":"string"}})";
  check_fits(kIf, "3");
  check_fits(kIf, "\"a\"");
  check_input_wrong(kIf, "2", "the input: must be at least 3, but is 2");
  check_input_wrong(kIf, "null", "the input: must be a string, but is null");
  check_fits(R"({"if":{"type":"integer"}})", "3");
}

TEST(JsonSchema, References) {
  constexpr std::string_view kTree = R"({
    "definitions": {"node": {"type": "object", "properties": {
      "children": {"type": "array", "items": {"$ref": "#/definitions/node"}}}}},
    "$ref": "#/definitions/node"})";
  check_fits(kTree, R"({"children":[{"children":[]},{}]})");
  check_input_wrong(kTree, R"({"children":[{"children":[1]}]})",
                    "/children/0/children/0: must be an object, but is an integer (1)");
}

TEST(JsonSchema, BooleanSchemas) {
  check_fits("true", "1");
  check_input_wrong("false", "1", "the input: is not allowed here; leave it out");
}

TEST(JsonSchema, ReportsASchemaThatNeverEnds) {
  for (const std::string_view endless : {R"({"$ref":"#"})", R"({"allOf":[{"$ref":"#"}]})",
                                         R"({"definitions":{"a":{"not":{"$ref":"#/definitions/b"}},
                           "b":{"not":{"$ref":"#/definitions/a"}}},"$ref":"#/definitions/a"})"}) {
    const auto checked = schema(endless)->check("1");
    ASSERT_FALSE(checked.ok()) << endless;
    EXPECT_EQ(checked.error().code(), base::ErrorCode::kResourceExhausted);
  }
}

TEST(JsonSchema, ReportsASchemaThatDoublesItsWorkAtEachStep) {
  std::string definitions;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "{\"$ref\":\"#/definitions/d" + std::to_string(i + 1) + "\"}";
    definitions += "\"d" + std::to_string(i) + "\":{\"anyOf\":[" + next + "," + next + "]},";
  }
  const auto checked =
      schema("{\"definitions\":{" + definitions + "\"d40\":false},\"$ref\":\"#/definitions/d0\"}")
          ->check("1");
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().code(), base::ErrorCode::kResourceExhausted);
}

TEST(JsonSchema, SchemasThatAreWrongNameThePlace) {
  check_bad_schema("[]",
                   "the schema at its root is [], but must be a schema: an object, true or false");
  check_bad_schema(
      R"({"properties":{"a":{"type":"text"}}})",
      "the schema at /properties/a/type is \"text\", but must be \"string\", "
      "\"number\", \"integer\", \"boolean\", \"object\", \"array\", \"null\" or a list "
      "of these");
  check_bad_schema(R"({"required":"a"})",
                   "the schema at /required is \"a\", but must be a list of names");
  check_bad_schema(R"({"enum":[]})", "the schema at /enum is [], but must be a list of values");
  check_bad_schema(R"({"minLength":-1})",
                   "the schema at /minLength is -1, but must be an integer from 0");
  check_bad_schema(R"({"minimum":"1"})", "the schema at /minimum is \"1\", but must be a number");
  check_bad_schema(R"({"multipleOf":0})",
                   "the schema at /multipleOf is 0, but must be a number above 0");
  check_bad_schema(R"({"uniqueItems":1})",
                   "the schema at /uniqueItems is 1, but must be true or false");
  check_bad_schema(R"({"pattern":1})",
                   "the schema at /pattern is 1, but must be a regular expression");
  check_bad_schema(R"({"anyOf":[]})", "the schema at /anyOf is [], but must be a list of schemas");
  check_bad_schema(R"({"items":[true,1]})",
                   "the schema at /items/1 is 1, but must be a schema: an object, true or false");
  check_bad_schema(R"({"properties":[]})",
                   "the schema at /properties is [], but must be an object with a schema for each "
                   "name");
  check_bad_schema(R"({"definitions":{"x":1},"$ref":"#/definitions/y"})",
                   "the schema at /definitions/x is 1, but must be a schema: an object, true or "
                   "false");
}

TEST(JsonSchema, ReferencesMustLeadSomewhere) {
  for (const std::string_view reference :
       {R"("#/definitions/x")", R"("http://example.org/schema")", R"("#definitions")", "3"}) {
    const auto compiled = JsonSchema::compile("{\"$ref\":" + std::string(reference) + "}");
    ASSERT_FALSE(compiled.ok()) << reference;
    EXPECT_NE(compiled.error().message().find("a reference within the schema"), std::string::npos);
  }
  check_bad_schema(R"({"x":{"y":[1]},"$ref":"#/x/y/0"})",
                   "the schema at #/x/y/0 is 1, but must be a schema: an object, true or false");
}

TEST(JsonSchema, SchemasAreLimitedInSize) {
  EXPECT_EQ(JsonSchema::compile(std::string(JsonSchema::kLargestSchema + 1, ' ')).error().code(),
            base::ErrorCode::kResourceExhausted);
}

TEST(JsonSchema, TheSignatureIsOneLine) {
  EXPECT_EQ(schema(kEdit)->signature(), "{edits?: array, path: string}");
  EXPECT_EQ(schema(R"({"type":"object"})")->signature(), "object");
  EXPECT_EQ(schema(R"({"properties":{"a":{},"b":{"type":["string","null"]}}})")->signature(),
            "{a?: any, b?: [\"string\",\"null\"]}");
  EXPECT_EQ(schema("true")->signature(), "any");
}

}  // namespace
}  // namespace clever::tool
