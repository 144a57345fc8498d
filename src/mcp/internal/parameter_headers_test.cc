#include "mcp/internal/parameter_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::mcp::internal {
namespace {

Json schema_of(const Json& properties) { return {{"type", "object"}, {"properties", properties}}; }
Json annotated(std::string_view type, std::string_view header) {
  return {{"type", type}, {"x-mcp-header", header}};
}
void check_headers_refused(const Json& schema, std::string_view why) {
  const auto headers = parameter_headers(schema);
  ASSERT_FALSE(headers.ok()) << schema.dump();
  EXPECT_THAT(headers.error().message(), testing::HasSubstr(why)) << schema.dump();
}

TEST(ParameterHeaders, AreFoundOnChainsOfProperties) {
  const Json schema = schema_of({{"region", annotated("string", "Region")},
                                 {"inner", schema_of({{"count", annotated("integer", "Count")}})}});
  const auto headers = parameter_headers(schema).value();
  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers[0].name, "Mcp-Param-Count");
  EXPECT_EQ(headers[0].path, (std::vector<std::string>{"inner", "count"}));
  EXPECT_EQ(headers[1].name, "Mcp-Param-Region");
}

TEST(ParameterHeaders, AParameterMayBeCalledLikeTheAnnotation) {
  const Json schema = schema_of({{"x-mcp-header", {{"type", "string"}}}});
  EXPECT_TRUE(parameter_headers(schema).value().empty());
}

TEST(ParameterHeaders, BreakingARuleIsSaid) {
  check_headers_refused(schema_of({{"a", annotated("string", "")}}), "not a valid header name");
  check_headers_refused(schema_of({{"a", annotated("string", "A B")}}), "not a valid header name");
  check_headers_refused(schema_of({{"a", annotated("string", "A\r\nB")}}),
                        "not a valid header name");
  check_headers_refused(schema_of({{"a", {{"type", "string"}, {"x-mcp-header", 7}}}}),
                        "not a valid header name");
  check_headers_refused(schema_of({{"a", annotated("number", "A")}}), "not on a string");
  check_headers_refused(
      schema_of({{"a", annotated("string", "A")}, {"b", annotated("string", "a")}}), "twice");
  check_headers_refused(annotated("string", "A"), "chain of properties");
  check_headers_refused({{"anyOf", {schema_of({{"a", annotated("string", "A")}})}}},
                        "chain of properties");
  check_headers_refused(
      schema_of({{"a", {{"type", "array"}, {"items", annotated("string", "A")}}}}),
      "chain of properties");
}

TEST(ParameterHeaders, OnlyWhatIsThereIsSent) {
  const std::vector<ParameterHeader> headers{{.name = "A", .path = {"a"}},
                                             {.name = "B", .path = {"b", "c"}},
                                             {.name = "C", .path = {"c"}},
                                             {.name = "D", .path = {"d"}}};
  const auto values =
      header_values(headers, {{"a", nullptr}, {"b", {{"c", -7}}}, {"c", true}, {"d", "x"}});
  EXPECT_THAT(values, testing::ElementsAre(io::HttpHeader{"B", "-7"}, io::HttpHeader{"C", "true"},
                                           io::HttpHeader{"D", "x"}));
}

TEST(ParameterHeaders, EncodesWhatAHeaderCannotHold) {
  EXPECT_EQ(header_value("us-west1"), "us-west1");
  EXPECT_EQ(header_value("a b"), "a b");
  EXPECT_EQ(header_value("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
  EXPECT_EQ(header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
  EXPECT_EQ(header_value("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
  EXPECT_EQ(header_value("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
}

}  // namespace
}  // namespace clever::mcp::internal
