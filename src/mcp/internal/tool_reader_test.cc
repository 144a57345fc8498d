#include "mcp/internal/tool_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::mcp::internal {
namespace {

Json tool(std::string_view name) { return {{"name", name}, {"inputSchema", {{"type", "object"}}}}; }
Json page(const Json& tools) { return {{"tools", tools}}; }
ToolList tools_in(const Json& tools, bool with_headers = false) {
  ToolList list;
  read_tools(page(tools), with_headers, list).value();
  return list;
}
void left_out(const Json& broken, std::string_view why) {
  const ToolList list = tools_in(Json::array({broken, tool("good")}));
  ASSERT_EQ(list.tools.size(), 1U);
  EXPECT_EQ(list.tools[0].name, "good");
  ASSERT_EQ(list.remarks.size(), 1U);
  EXPECT_THAT(list.remarks[0], testing::HasSubstr(why));
}

TEST(ToolReader, ReadsAllOfATool) {
  Json full = tool("a.b-c_d/e");
  full["title"] = "Title";
  full["description"] = "What it does";
  full["outputSchema"] = {{"type", "array"}};
  full["annotations"] = {
      {"readOnlyHint", false}, {"idempotentHint", true}, {"destructiveHint", false}};
  EXPECT_EQ(tools_in(Json::array({full})).tools[0],
            (ServerTool{.name = "a.b-c_d/e",
                        .title = "Title",
                        .description = "What it does",
                        .input_schema = R"({"type":"object"})",
                        .output_schema = R"({"type":"array"})",
                        .read_only = false,
                        .idempotent = true,
                        .destructive = false}));
}

TEST(ToolReader, AReadOnlyToolDestroysNothing) {
  Json hinted = tool("a");
  hinted["annotations"] = {{"readOnlyHint", true}, {"title", "From the hints"}};
  const ServerTool seen = tools_in(Json::array({hinted})).tools[0];
  EXPECT_TRUE(seen.read_only);
  EXPECT_FALSE(seen.destructive);
  EXPECT_EQ(seen.title, "From the hints");
}

TEST(ToolReader, HintsOfAWrongKindAreNone) {
  Json hinted = tool("a");
  hinted["annotations"] = {{"readOnlyHint", "yes"}};
  EXPECT_FALSE(tools_in(Json::array({hinted})).tools[0].read_only);
  EXPECT_TRUE(tools_in(Json::array({hinted})).tools[0].destructive);
}

TEST(ToolReader, ABrokenToolSpoilsNoOther) {
  left_out(Json(7), "name");
  left_out(tool(""), "name");
  left_out(tool("with space"), "name");
  left_out(tool(std::string(129, 'x')), "name");
  left_out({{"name", "a"}}, "inputSchema is not an object");
  left_out({{"name", "a"}, {"inputSchema", nullptr}}, "inputSchema is not an object");
  left_out({{"name", "a"}, {"inputSchema", {{"x", std::string(70'000, 'x')}}}}, "longer than");
  Json bad_output = tool("a");
  bad_output["outputSchema"] = 7;
  left_out(bad_output, "outputSchema is not an object");
}

TEST(ToolReader, TheFirstOfOneNameCounts) {
  const ToolList list = tools_in(Json::array({tool("a"), tool("a")}));
  EXPECT_EQ(list.tools.size(), 1U);
  EXPECT_THAT(list.remarks[0], testing::HasSubstr("another tool has that name"));
}

TEST(ToolReader, ALongDescriptionIsCut) {
  Json long_one = tool("a");
  long_one["description"] = std::string(20'000, 'x');
  const std::string text = tools_in(Json::array({long_one})).tools[0].description;
  EXPECT_LT(text.size(), 9000U);
  EXPECT_TRUE(text.ends_with("… (cut)"));
}

TEST(ToolReader, BrokenHeadersMatterOnlyWhereThereAreHeaders) {
  Json broken = tool("a");
  broken["inputSchema"]["properties"]["p"] = {{"type", "number"}, {"x-mcp-header", "P"}};
  EXPECT_EQ(tools_in(Json::array({broken}), false).tools.size(), 1U);
  EXPECT_EQ(tools_in(Json::array({broken}), true).tools.size(), 0U);
}

TEST(ToolReader, KeepsTheHeadersOfATool) {
  Json with = tool("a");
  with["inputSchema"]["properties"]["p"] = {{"type", "string"}, {"x-mcp-header", "P"}};
  const ToolList list = tools_in(Json::array({with, tool("b")}), true);
  EXPECT_EQ(list.headers.size(), 1U);
  EXPECT_EQ(list.headers.at("a")[0].name, "Mcp-Param-P");
}

TEST(ToolReader, APageThatIsInvalidIsCorrupt) {
  ToolList list;
  EXPECT_EQ(read_tools({{"tools", 7}}, false, list).error().code(), base::ErrorCode::kCorruption);
  EXPECT_EQ(read_tools(Json::object(), false, list).error().code(), base::ErrorCode::kCorruption);
}

TEST(ToolReader, ThereAreNotEndlesslyMany) {
  Json tools = Json::array();
  for (std::size_t n = 0; n <= kMostTools; ++n) tools.push_back(tool("t" + std::to_string(n)));
  ToolList list;
  EXPECT_EQ(read_tools(page(tools), false, list).error().code(),
            base::ErrorCode::kResourceExhausted);
}

}  // namespace
}  // namespace clever::mcp::internal
