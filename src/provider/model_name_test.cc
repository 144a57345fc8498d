#include "provider/model_name.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

TEST(ModelName, HasAProviderAndAModel) {
  EXPECT_EQ(ModelName::parse("openai/gpt-5"), (ModelName{"openai", "gpt-5"}));
}

TEST(ModelName, MayHaveSlashesInTheModel) {
  const auto name = ModelName::parse("openrouter/anthropic/claude-sonnet-4.6");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->provider, "openrouter");
  EXPECT_EQ(name->model, "anthropic/claude-sonnet-4.6");
  EXPECT_EQ(name->to_string(), "openrouter/anthropic/claude-sonnet-4.6");
}

TEST(ModelName, IsNothingElse) {
  for (const char* text : {"", "gpt-5", "/gpt-5", "openai/", "openai//x", "openai/x/", "open ai/x",
                           "openai/x y", "openai/x\n", "öpenai/x", "openai/\x7f"}) {
    EXPECT_FALSE(ModelName::parse(text)) << text;
  }
}

}  // namespace
}  // namespace clever::provider
