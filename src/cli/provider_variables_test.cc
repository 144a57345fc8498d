#include "cli/provider_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ProviderState state_of(std::string_view provider, io::Environment::Entries entries) {
  for (const ProviderState& state : provider_states(io::Environment(std::move(entries)))) {
    if (state.provider == provider) return state;
  }
  ADD_FAILURE() << "no provider " << provider;
  return {};
}

TEST(ProviderVariablesTest, AKeyConfigures) {
  const auto state = state_of("openai", {{"OPENAI_API_KEY", "sk-x"}});
  EXPECT_TRUE(state.configured);
  EXPECT_THAT(state.present, ElementsAre("OPENAI_API_KEY"));
}

TEST(ProviderVariablesTest, EitherGoogleKeyIsEnough) {
  EXPECT_TRUE(state_of("google", {{"GOOGLE_API_KEY", "x"}}).configured);
  EXPECT_TRUE(state_of("google", {{"GEMINI_API_KEY", "x"}}).configured);
}

TEST(ProviderVariablesTest, AnEmptyKeyDoesNotConfigure) {
  const auto state = state_of("groq", {{"GROQ_API_KEY", ""}});
  EXPECT_FALSE(state.configured);
  EXPECT_THAT(state.empty, ElementsAre("GROQ_API_KEY"));
  EXPECT_THAT(state.missing, IsEmpty());
}

TEST(ProviderVariablesTest, AzureNeedsAnEndpointToo) {
  const auto state = state_of("azure", {{"AZURE_OPENAI_API_KEY", "x"}});
  EXPECT_FALSE(state.configured);
  EXPECT_THAT(state.missing, ElementsAre("AZURE_OPENAI_ENDPOINT"));
}

TEST(ProviderVariablesTest, ABaseUrlAloneLacksItsKey) {
  const auto state = state_of("anthropic", {{"ANTHROPIC_BASE_URL", "http://x"}});
  EXPECT_FALSE(state.configured);
  EXPECT_THAT(state.missing, ElementsAre("ANTHROPIC_API_KEY"));
}

TEST(ProviderVariablesTest, OllamaNeedsOnlyItsHost) {
  EXPECT_FALSE(state_of("ollama", {}).configured);
  EXPECT_TRUE(state_of("ollama", {{"OLLAMA_HOST", "localhost"}}).configured);
}

TEST(ProviderVariablesTest, NamesThoseConfigured) {
  const io::Environment environment({{"GROQ_API_KEY", "x"}, {"ANTHROPIC_API_KEY", "y"}});
  EXPECT_THAT(configured_providers(environment), ElementsAre("anthropic", "groq"));
}

}  // namespace
}  // namespace clever::cli
