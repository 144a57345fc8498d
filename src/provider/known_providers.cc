#include "provider/known_providers.h"

#include <algorithm>

namespace clever::provider {

const std::vector<KnownProvider>& known_providers() {
  static const std::vector<KnownProvider> kProviders{
      {.name = "anthropic",
       .wire = Wire::kAnthropic,
       .base_url = "https://api.anthropic.com",
       .key_variables = {"ANTHROPIC_API_KEY"},
       .base_url_variables = {"ANTHROPIC_BASE_URL"},
       .default_model = "claude-sonnet-5",
       .keys_page = "https://platform.claude.com/settings/keys"},
      {.name = "openai",
       .wire = Wire::kOpenAiResponses,
       .base_url = "https://api.openai.com/v1",
       .key_variables = {"OPENAI_API_KEY"},
       .base_url_variables = {"OPENAI_BASE_URL"},
       .default_model = "gpt-6.1-sol",
       .keys_page = "https://platform.openai.com/api-keys"},
      {.name = "google",
       .wire = Wire::kGoogle,
       .base_url = "https://generativelanguage.googleapis.com/v1beta",
       .key_variables = {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
       .default_model = "gemini-3.6-flash",
       .keys_page = "https://aistudio.google.com/apikey"},
      {.name = "azure",
       .dialect = Dialect::kAzure,
       .key_variables = {"AZURE_OPENAI_API_KEY"},
       .base_url_variables = {"AZURE_OPENAI_ENDPOINT"},
       .keys_page = "https://portal.azure.com"},
      {.name = "openrouter",
       .dialect = Dialect::kOpenRouter,
       .base_url = "https://openrouter.ai/api/v1",
       .key_variables = {"OPENROUTER_API_KEY"},
       .default_model = "anthropic/claude-sonnet-4.6",
       .keys_page = "https://openrouter.ai/keys"},
      {.name = "groq",
       .dialect = Dialect::kGroq,
       .base_url = "https://api.groq.com/openai/v1",
       .key_variables = {"GROQ_API_KEY"},
       .default_model = "openai/gpt-oss-120b",
       .keys_page = "https://console.groq.com/keys"},
      {.name = "together",
       .dialect = Dialect::kTogether,
       .base_url = "https://api.together.xyz/v1",
       .key_variables = {"TOGETHER_API_KEY"},
       .default_model = "openai/gpt-oss-120b",
       .keys_page = "https://api.together.ai/settings/api-keys"},
      {.name = "cohere",
       .dialect = Dialect::kCohere,
       .base_url = "https://api.cohere.ai/compatibility/v1",
       .key_variables = {"COHERE_API_KEY"},
       .default_model = "command-a-03-2025",
       .keys_page = "https://dashboard.cohere.com/api-keys"},
      {.name = "deepseek",
       .dialect = Dialect::kDeepSeek,
       .base_url = "https://api.deepseek.com",
       .key_variables = {"DEEPSEEK_API_KEY"},
       .default_model = "deepseek-v4-flash",
       .keys_page = "https://platform.deepseek.com/api_keys"},
      {.name = "mistral",
       .dialect = Dialect::kMistral,
       .base_url = "https://api.mistral.ai/v1",
       .key_variables = {"MISTRAL_API_KEY"},
       .default_model = "mistral-medium-latest",
       .keys_page = "https://console.mistral.ai/api-keys"},
      {.name = "ollama", .wire = Wire::kOllama, .base_url_variables = {"OLLAMA_HOST"}},
  };
  return kProviders;
}

const std::vector<KnownAlias>& known_aliases() {
  static const std::vector<KnownAlias> kAliases{{"opus", "anthropic", "claude-opus-5-5"},
                                                {"sonnet", "anthropic", "claude-sonnet-5-5"},
                                                {"haiku", "anthropic", "claude-haiku-4-5"},
                                                {"gpt", "openai", ""},
                                                {"gemini", "google", ""},
                                                {"local", "", ""}};
  return kAliases;
}

const KnownProvider* find_known_provider(std::string_view name) {
  const auto& all = known_providers();
  const auto found = std::ranges::find(all, name, &KnownProvider::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace clever::provider
