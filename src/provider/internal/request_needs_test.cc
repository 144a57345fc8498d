#include "provider/internal/request_needs.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

using model::Image;
using model::Message;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;

TEST(RequestNeedsTest, APlainQuestionNeedsNothing) {
  EXPECT_EQ(needed_capabilities({}), (Capabilities{false, false, false, false}));
}

TEST(RequestNeedsTest, ToolsImagesAndSchemasAreNeeded) {
  ModelRequest request;
  request.tools.push_back({.name = "read"});
  request.answer_schema = "{}";
  request.reasoning_effort = "high";
  EXPECT_EQ(needed_capabilities(request), (Capabilities{true, false, false, true}));
  request.messages = {Message{Role::kUser, {Image{"image/png", "x"}}}};
  EXPECT_TRUE(needed_capabilities(request).images);
}

TEST(RequestNeedsTest, AnImageInAResultCounts) {
  ModelRequest request;
  request.messages = {Message{Role::kUser, {ToolResult{"1", {Text{"t"}}}}}};
  EXPECT_FALSE(needed_capabilities(request).images);
  request.messages = {Message{Role::kUser, {ToolResult{"1", {Text{"t"}, Image{}}}}}};
  EXPECT_TRUE(needed_capabilities(request).images);
}

TEST(RequestNeedsTest, FourBytesAreAToken) {
  ModelRequest request;
  request.max_output_tokens = 50;
  request.system = std::string(400, 'x');
  EXPECT_EQ(estimated_tokens(request).input, 101);
  EXPECT_EQ(estimated_tokens(request).output, 50);
  request.tools.push_back({.name = "four", .description = "", .parameters = "{..}"});
  EXPECT_EQ(estimated_tokens(request).input, 103);
  request.messages = {Message{Role::kAssistant,
                              {Text{"1234"}, model::Reasoning{"1234", "1234", "w"},
                               ToolCall{"id", "read", "{..}"}}},
                      Message{Role::kUser, {ToolResult{"id", {Text{"1234"}}}, Image{}}}};
  EXPECT_EQ(estimated_tokens(request).input, 103 + 6 + 1500);
}

TEST(RequestNeedsTest, SaysWhatIsMissing) {
  const Capabilities all{true, true, true, true};
  EXPECT_EQ(missing_text(all, all), "");
  EXPECT_EQ(missing_text({false, false, true, true}, all), "tools and images");
  EXPECT_EQ(missing_text({true, true, false, false}, all), "answers by a schema");
}

}  // namespace
}  // namespace clever::provider
