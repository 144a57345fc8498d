#include "mcp/internal/tool_content.h"

#include <gtest/gtest.h>

namespace clever::mcp::internal {
namespace {

void check_text(const Json& item, std::string_view text) {
  EXPECT_EQ(read_tool_result({{"content", Json::array({item})}}).value().text, text);
}

TEST(ToolContent, TextsFollowEachOther) {
  const Json result = {
      {"content", {{{"type", "text"}, {"text", "one"}}, {{"type", "text"}, {"text", "two"}}}}};
  const ToolResult read = read_tool_result(result).value();
  EXPECT_EQ(read.text, "one\ntwo");
  EXPECT_FALSE(read.is_error);
  EXPECT_EQ(read.structured, "");
}

TEST(ToolContent, OtherContentIsNamed) {
  check_text({{"type", "image"}, {"mimeType", "image/png"}, {"data", std::string(16'384, 'A')}},
             "[image image/png, 12 KiB]");
  check_text({{"type", "audio"}, {"mimeType", "audio/wav"}, {"data", "AAAA"}},
             "[audio audio/wav, 3 bytes]");
  check_text(
      {{"type", "resource_link"}, {"uri", "file:///a"}, {"name", "a"}, {"description", "An a"}},
      "[link file:///a a: An a]");
  check_text({{"type", "resource_link"}, {"uri", "file:///a"}}, "[link file:///a]");
  check_text({{"type", "resource"}, {"resource", {{"uri", "file:///a"}, {"text", "inside"}}}},
             "[resource file:///a]\ninside");
  check_text(
      {{"type", "resource"},
       {"resource", {{"uri", "file:///b"}, {"mimeType", "application/zip"}, {"blob", "AAAA"}}}},
      "[resource file:///b, application/zip, 3 bytes]");
  check_text({{"type", "hologram"}}, "[content of the unknown type hologram]");
  check_text(Json(7), "[content of the unknown type]");
}

TEST(ToolContent, ErrorsAndStructureAreKept) {
  const ToolResult read =
      read_tool_result(
          {{"content", Json::array()}, {"structuredContent", {{"a", 1}}}, {"isError", true}})
          .value();
  EXPECT_TRUE(read.is_error);
  EXPECT_EQ(read.structured, R"({"a":1})");
  EXPECT_EQ(read.text, R"({"a":1})");
}

TEST(ToolContent, StructureMayBeAnyValueWithoutContent) {
  EXPECT_EQ(read_tool_result({{"structuredContent", {1, 2}}}).value().text, "[1,2]");
}

TEST(ToolContent, AnAnswerWithoutContentIsCorrupt) {
  EXPECT_EQ(read_tool_result(Json::object()).error().code(), base::ErrorCode::kCorruption);
  EXPECT_EQ(read_tool_result({{"content", "x"}}).error().code(), base::ErrorCode::kCorruption);
}

}  // namespace
}  // namespace clever::mcp::internal
