#include "provider/discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "provider/known_providers.h"
#include "support/temporary_directory.h"

namespace clever::provider {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class DiscoveryTest : public testing::Test {
 protected:
  void set(const std::string& variable, const std::string& value) { variables_[variable] = value; }
  void configure(std::string_view text) { folder_.write("config.toml", text); }

  base::Result<ProviderSettings> found() const {
    const io::Environment environment(variables_);
    auto settings = config::load_settings({.home = folder_.path(), .environment = environment});
    if (!settings.ok()) return settings.error();
    return discover(environment, *settings);
  }
  std::string error() const {
    const auto settings = found();
    return settings.ok() ? "" : settings.error().message();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const ProviderConfig& config : found()->providers) {
      names.push_back(config.endpoint.provider);
    }
    return names;
  }
  ProviderConfig the(const std::string& name) const {
    const ProviderSettings settings = *found();
    for (const ProviderConfig& config : settings.providers) {
      if (config.endpoint.provider == name) return config;
    }
    ADD_FAILURE() << name << ": " << settings.unavailable.at(name);
    return {};
  }
  std::string why_not(const std::string& name) const { return found()->unavailable.at(name); }

  io::Environment::Entries variables_;
  test::TemporaryDirectory folder_;
};

TEST_F(DiscoveryTest, FindsNothingInAnEmptyEnvironment) {
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(found()->unavailable.size(), known_providers().size());
}

TEST_F(DiscoveryTest, FindsProvidersByTheirKeysInAFixedOrder) {
  for (const char* variable :
       {"MISTRAL_API_KEY", "DEEPSEEK_API_KEY", "COHERE_API_KEY", "TOGETHER_API_KEY", "GROQ_API_KEY",
        "OPENROUTER_API_KEY", "AZURE_OPENAI_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY"}) {
    set(variable, std::string("key-of-") + variable);
  }
  set("AZURE_OPENAI_ENDPOINT", "https://me.openai.azure.com/");
  set("OLLAMA_HOST", "box");
  EXPECT_THAT(names(), ElementsAre("anthropic", "openai", "google", "azure", "openrouter", "groq",
                                   "together", "cohere", "deepseek", "mistral", "ollama"));
  for (const ProviderConfig& config : found()->providers) {
    EXPECT_TRUE(config.endpoint.base_url.starts_with("http")) << config.endpoint.provider;
    if (config.endpoint.provider == "ollama") continue;
    EXPECT_EQ(config.endpoint.key, "key-of-" + config.key_variable);
    EXPECT_FALSE(config.endpoint.local);
  }
}

TEST_F(DiscoveryTest, OpenAiIsSpokenToByItsResponses) {
  set("OPENAI_API_KEY", "k-123456");
  EXPECT_EQ(the("openai").endpoint.wire, Wire::kOpenAiResponses);
  EXPECT_EQ(the("openai").endpoint.base_url, "https://api.openai.com/v1");
  EXPECT_EQ(the("openai").default_model, "gpt-6.1-sol");
}

TEST_F(DiscoveryTest, AnotherAddressOfOpenAiIsSpokenToByChat) {
  set("OPENAI_API_KEY", "k-123456");
  set("OPENAI_BASE_URL", "https://proxy.example.com/v1/");
  EXPECT_EQ(the("openai").endpoint.wire, Wire::kOpenAiChat);
  EXPECT_EQ(the("openai").endpoint.base_url, "https://proxy.example.com/v1");
  EXPECT_EQ(the("openai").origins.at("base_url"), "OPENAI_BASE_URL");
  configure("provider.openai.wire = 'openai-responses'");
  EXPECT_EQ(the("openai").endpoint.wire, Wire::kOpenAiResponses);
}

TEST_F(DiscoveryTest, GoogleHasTwoNamesForItsKey) {
  set("GOOGLE_API_KEY", "second");
  EXPECT_EQ(the("google").key_variable, "GOOGLE_API_KEY");
  set("GEMINI_API_KEY", "first");
  EXPECT_EQ(the("google").key_variable, "GEMINI_API_KEY");
  EXPECT_EQ(the("google").endpoint.key, "first");
}

TEST_F(DiscoveryTest, AzureNeedsAKeyAndAnEndpoint) {
  set("AZURE_OPENAI_API_KEY", "k");
  EXPECT_THAT(why_not("azure"), HasSubstr("AZURE_OPENAI_ENDPOINT is not set"));
  set("AZURE_OPENAI_ENDPOINT", "https://me.openai.azure.com");
  EXPECT_EQ(the("azure").endpoint.api_version, "");
  EXPECT_EQ(the("azure").endpoint.base_url, "https://me.openai.azure.com/openai/v1");
  EXPECT_EQ(the("azure").default_model, "");
  set("OPENAI_API_VERSION", "2024-10-21");
  EXPECT_EQ(the("azure").endpoint.api_version, "2024-10-21");
  EXPECT_EQ(the("azure").endpoint.base_url, "https://me.openai.azure.com");
  set("AZURE_OPENAI_API_VERSION", "2025-01-01");
  EXPECT_EQ(the("azure").endpoint.api_version, "2025-01-01");
  EXPECT_EQ(the("azure").origins.at("api_version"), "AZURE_OPENAI_API_VERSION");
}

TEST_F(DiscoveryTest, AMissingKeySaysWhereToGetOne) {
  EXPECT_EQ(why_not("openai"),
            "OPENAI_API_KEY is not set; get a key at https://platform.openai.com/api-keys");
  set("OPENAI_API_KEY", "");
  EXPECT_THAT(why_not("openai"), HasSubstr("OPENAI_API_KEY is not set"));
  EXPECT_THAT(why_not("google"), HasSubstr("GEMINI_API_KEY or GOOGLE_API_KEY is not set"));
}

TEST_F(DiscoveryTest, TrimsKeys) {
  set("OPENAI_API_KEY", " k-123456\n");
  EXPECT_EQ(the("openai").endpoint.key, "k-123456");
}

TEST_F(DiscoveryTest, OllamaIsLocalWhereItIs) {
  set("OLLAMA_HOST", "0.0.0.0:8000");
  EXPECT_EQ(the("ollama").endpoint.base_url, "http://127.0.0.1:8000");
  EXPECT_TRUE(the("ollama").endpoint.local);
  set("OLLAMA_HOST", "box");
  EXPECT_FALSE(the("ollama").endpoint.local);
  EXPECT_EQ(the("ollama").endpoint.wire, Wire::kOllama);
}

TEST_F(DiscoveryTest, OllamaWithModelsNeedsNoAddress) {
  configure("provider.ollama.models = ['qwen3']");
  EXPECT_EQ(the("ollama").endpoint.base_url, kOllamaAddress);
  EXPECT_EQ(the("ollama").default_model, "qwen3");
}

TEST_F(DiscoveryTest, ReadsNamedEndpoints) {
  set("WORK_KEY", "w-123456");
  configure(R"(
[provider.work]
base_url = "https://llm.example.com/v1/"
key_env = "WORK_KEY"
wire = "anthropic"
models = ["small", "large"]
requests_per_minute = 60
tokens_per_minute = 100000
max_concurrency = 4
[provider.work.headers]
X-Team = "blue"
)");
  const ProviderConfig work = the("work");
  EXPECT_EQ(work.endpoint.base_url, "https://llm.example.com/v1");
  EXPECT_EQ(work.endpoint.key, "w-123456");
  EXPECT_EQ(work.endpoint.wire, Wire::kAnthropic);
  EXPECT_EQ(work.endpoint.dialect, Dialect::kNone);
  EXPECT_THAT(work.models, ElementsAre("small", "large"));
  EXPECT_EQ(work.default_model, "small");
  EXPECT_EQ(work.limits, (ProviderLimits{60, 100'000, 4}));
  EXPECT_THAT(work.endpoint.headers, ElementsAre(io::HttpHeader{"X-Team", "blue"}));
  EXPECT_THAT(work.origins.at("base_url"), HasSubstr("config.toml:3"));
  EXPECT_THAT(work.origins.at("headers.X-Team"), HasSubstr("config.toml:11"));
}

TEST_F(DiscoveryTest, NamedEndpointsComeLastByName) {
  set("OPENAI_API_KEY", "k-123456");
  configure("[provider.b]\nbase_url = 'https://b'\n[provider.a]\nbase_url = 'https://a'\n");
  EXPECT_THAT(names(), ElementsAre("openai", "a", "b"));
  EXPECT_EQ(the("a").endpoint.wire, Wire::kOpenAiChat);
  EXPECT_EQ(the("a").endpoint.key, "");
}

TEST_F(DiscoveryTest, TakesSettingsFromVariablesToo) {
  set("CLEVERAGENTS_PROVIDER_WORK_BASE_URL", "https://llm.example.com");
  set("CLEVERAGENTS_PROVIDER_WORK_MODELS", "a, b");
  EXPECT_THAT(the("work").models, ElementsAre("a", "b"));
  EXPECT_EQ(the("work").origins.at("base_url"), "CLEVERAGENTS_PROVIDER_WORK_BASE_URL");
}

TEST_F(DiscoveryTest, ASectionChangesAKnownProvider) {
  set("MY_KEY", "m-123456");
  configure("[provider.anthropic]\nkey_env = 'MY_KEY'\nmodels = ['claude-opus-5']\n");
  EXPECT_EQ(the("anthropic").endpoint.key, "m-123456");
  EXPECT_EQ(the("anthropic").default_model, "claude-opus-5");
  EXPECT_EQ(the("anthropic").endpoint.wire, Wire::kAnthropic);
}

TEST_F(DiscoveryTest, SaysWhichVariableANamedKeyIsMissingFrom) {
  configure("[provider.work]\nbase_url = 'https://x'\nkey_env = 'WORK_KEY'\n");
  EXPECT_THAT(why_not("work"), AllOf(HasSubstr("WORK_KEY is not set"), HasSubstr("config.toml:3")));
}

TEST_F(DiscoveryTest, ANamedEndpointNeedsAnAddress) {
  configure("[provider.wrok]\nmodels = ['x']\n");
  EXPECT_THAT(error(), AllOf(HasSubstr("provider wrok"), HasSubstr("provider.wrok.base_url"),
                             HasSubstr("https://")));
}

TEST_F(DiscoveryTest, RefusesAnInvalidUrl) {
  configure("provider.work.base_url = 'llm.example.com'\n");
  EXPECT_THAT(error(),
              AllOf(HasSubstr("provider work"), HasSubstr("config.toml:1"),
                    HasSubstr("'llm.example.com' is not a base URL"), HasSubstr("https://")));
}

TEST_F(DiscoveryTest, RefusesAVariableThatIsNotAUrl) {
  set("OPENAI_API_KEY", "k-123456");
  set("OPENAI_BASE_URL", "https://me:hunter22@example.com/v1");
  EXPECT_EQ(error(), "");
  EXPECT_THAT(why_not("openai"), AllOf(HasSubstr("OPENAI_BASE_URL"), HasSubstr("user or password"),
                                       Not(HasSubstr("hunter22"))));
}

TEST_F(DiscoveryTest, RefusesAKeyOverPlainHttp) {
  set("OPENAI_API_KEY", "k-123456");
  set("OPENAI_BASE_URL", "http://example.com/v1");
  EXPECT_EQ(error(), "");
  EXPECT_THAT(why_not("openai"),
              AllOf(HasSubstr("OPENAI_BASE_URL"), HasSubstr("plain http"),
                    HasSubstr("provider.openai.local = true"), Not(HasSubstr("k-123456"))));
  set("ANTHROPIC_API_KEY", "k-654321");
  EXPECT_EQ(the("anthropic").endpoint.key, "k-654321");
  configure("provider.openai.base_url = 'http://example.com/v1'");
  EXPECT_THAT(error(), AllOf(HasSubstr("provider openai"), HasSubstr("config.toml:1"),
                             HasSubstr("plain http")));
  configure("provider.openai.local = true");
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(the("openai").endpoint.local);
}

TEST_F(DiscoveryTest, TakesPlainHttpWithoutAKeyOrToThisMachine) {
  configure("provider.a.base_url = 'http://10.0.0.1/v1'");
  EXPECT_FALSE(the("a").endpoint.local);
  set("OPENAI_API_KEY", "k-123456");
  // A proxy: what is behind it costs what it costs.
  set("OPENAI_BASE_URL", "http://localhost:4000/v1");
  EXPECT_FALSE(the("openai").endpoint.local);
  configure("provider.openai.local = true");
  EXPECT_TRUE(the("openai").endpoint.local);
}

TEST_F(DiscoveryTest, AProxyOnThisMachineMayCost) {
  set("OPENAI_API_KEY", "k-123456");
  set("OPENAI_BASE_URL", "http://localhost:4000/v1");
  configure("provider.openai.local = false");
  EXPECT_FALSE(the("openai").endpoint.local);
}

TEST_F(DiscoveryTest, KeepsNoSecretInHeaders) {
  configure("[provider.a]\nbase_url='https://a'\n[provider.a.headers]\nx-api-key = 'abcdefgh'\n");
  EXPECT_THAT(error(), AllOf(HasSubstr("x-api-key would keep a secret"), HasSubstr("key_env"),
                             Not(HasSubstr("abcdefgh"))));
  configure("[provider.a]\nbase_url='https://a'\nheaders.Authorization = 'Basic abcdefgh'\n");
  EXPECT_THAT(error(), AllOf(HasSubstr("would keep a secret"), Not(HasSubstr("abcdefgh"))));
  configure("[provider.a]\nbase_url='https://a'\nheaders.X-Y = \"a\\nb: c\"\n");
  EXPECT_THAT(error(), HasSubstr("has a line end"));
}

TEST_F(DiscoveryTest, RefusesALiteralKeyWithTheCure) {
  configure("[provider.work]\nbase_url='https://a'\nkey = 'sesame-open-please'\n");
  EXPECT_THAT(error(), AllOf(HasSubstr("provider.work.key_env"), HasSubstr("environment variable"),
                             Not(HasSubstr("sesame"))));
  configure("[provider.work]\nbase_url='https://a'\nkey_env = 'sesame-open-please'\n");
  EXPECT_THAT(error(), AllOf(HasSubstr("put it into a variable"), Not(HasSubstr("sesame"))));
}

TEST_F(DiscoveryTest, RefusesNamesThatAreTaken) {
  configure("provider.scripted.base_url = 'https://a'");
  EXPECT_THAT(error(), HasSubstr("this name is already in use"));
}

TEST_F(DiscoveryTest, AScriptComesFirst) {
  set("OPENAI_API_KEY", "k-123456");
  configure("provider.script = 'demo.yaml'");
  EXPECT_THAT(names(), ElementsAre("scripted", "openai"));
  EXPECT_EQ(the("scripted").endpoint.wire, Wire::kScripted);
  EXPECT_EQ(the("scripted").endpoint.base_url, "demo.yaml");
  EXPECT_TRUE(the("scripted").endpoint.local);
}

TEST_F(DiscoveryTest, TakesModelsAliasesAndFallback) {
  configure(R"(
model.default = "a/b"
model.fallback = ["c/d", "fast"]
model.patience = "5s"
model.alias.fast = "e/f"
)");
  const ProviderSettings settings = *found();
  EXPECT_EQ(settings.default_model, "a/b");
  EXPECT_THAT(settings.fallback, ElementsAre("c/d", "fast"));
  EXPECT_EQ(settings.patience, std::chrono::seconds(5));
  EXPECT_EQ(settings.aliases.at("fast"), "e/f");
}

VariableState state_of(std::string_view provider, const io::Environment::Entries& variables) {
  for (VariableState& state : variable_states(io::Environment(variables))) {
    if (state.provider == provider) return std::move(state);
  }
  return {};
}

TEST_F(DiscoveryTest, TellsTheStateOfVariables) {
  set("OPENAI_API_KEY", "k-123456");
  set("GEMINI_API_KEY", "");
  EXPECT_TRUE(state_of("openai", variables_).configured);
  EXPECT_THAT(state_of("openai", variables_).present, ElementsAre("OPENAI_API_KEY"));
  EXPECT_FALSE(state_of("google", variables_).configured);
  EXPECT_THAT(state_of("google", variables_).empty, ElementsAre("GEMINI_API_KEY"));
  EXPECT_FALSE(state_of("mistral", variables_).configured);
}

TEST_F(DiscoveryTest, TellsWhichVariableIsMissing) {
  set("AZURE_OPENAI_ENDPOINT", "https://x");
  set("ANTHROPIC_BASE_URL", "https://x");
  EXPECT_THAT(state_of("azure", variables_).missing, ElementsAre("AZURE_OPENAI_API_KEY"));
  EXPECT_THAT(state_of("anthropic", variables_).missing, ElementsAre("ANTHROPIC_API_KEY"));
  variables_.erase("AZURE_OPENAI_ENDPOINT");
  set("AZURE_OPENAI_API_KEY", "k-123456");
  EXPECT_THAT(state_of("azure", variables_).missing, ElementsAre("AZURE_OPENAI_ENDPOINT"));
}

TEST(Wires, HaveNames) {
  for (const char* name :
       {"openai-chat", "openai-responses", "anthropic", "google", "ollama", "scripted", "replay"}) {
    EXPECT_EQ(to_string(wire_from_string(name).value()), name);
  }
  EXPECT_FALSE(wire_from_string("grpc"));
}

// What answers on this machine.
class LocalProvidersTest : public testing::Test {
 protected:
  ProviderSettings found(ProviderSettings settings = {}) {
    asked_.clear();
    find_local(
        [this](const std::string& url) -> base::Result<std::string> {
          asked_.push_back(url);
          const auto page = pages_.find(url);
          if (page == pages_.end()) return base::unavailable("nobody answers");
          return page->second;
        },
        settings);
    return settings;
  }

  std::map<std::string, std::string> pages_;
  std::vector<std::string> asked_;
};

constexpr const char* kTags = "http://127.0.0.1:11434/api/tags";
constexpr const char* kModels = "http://127.0.0.1:8080/v1/models";

TEST_F(LocalProvidersTest, AreMissingWithoutAnAnswer) {
  ProviderSettings before;
  before.unavailable["ollama"] = "no host";
  const ProviderSettings settings = found(before);
  EXPECT_THAT(settings.providers, IsEmpty());
  EXPECT_THAT(settings.unavailable.at("ollama"), HasSubstr("nothing answers at http://127.0.0.1"));
  EXPECT_THAT(asked_,
              ElementsAre(kTags, kModels, std::string(kLmStudioAddress) + "/api/v0/models"));
}

TEST_F(LocalProvidersTest, AnOllamaThatAnswersCounts) {
  pages_[kTags] = R"({"models":[{"name":"qwen3:8b"},{"name":"b"}]})";
  ProviderSettings before;
  before.unavailable["ollama"] = "no host";
  const ProviderSettings settings = found(before);
  ASSERT_EQ(settings.providers.size(), 1U);
  EXPECT_EQ(settings.providers[0].endpoint.provider, "ollama");
  EXPECT_EQ(settings.providers[0].endpoint.base_url, kOllamaAddress);
  EXPECT_EQ(settings.providers[0].default_model, "qwen3:8b");
  EXPECT_TRUE(settings.providers[0].endpoint.local);
  EXPECT_THAT(settings.unavailable, IsEmpty());
}

TEST_F(LocalProvidersTest, AnOllamaWithoutModelsHasNoDefault) {
  pages_[kTags] = R"({"models":[]})";
  EXPECT_EQ(found().providers.at(0).default_model, "");
}

TEST_F(LocalProvidersTest, OthersOnThesePortsDoNotCount) {
  for (const char* text : {"", "<html>", "[]", "{}", R"({"models":7})", R"({"data":[{"id":"x"}]})",
                           R"({"data":[{"id":"x","owned_by":"me"}]})", R"({"data":[7]})"}) {
    pages_[kModels] = text;
    EXPECT_THAT(found().providers, IsEmpty()) << text;
  }
  pages_[kTags] = "hello";
  EXPECT_THAT(found().providers, IsEmpty());
}

TEST_F(LocalProvidersTest, ALlamaServerThatAnswersCounts) {
  pages_[kModels] = R"({"object":"list","data":[{"id":"tiny.gguf","owned_by":"llamacpp"}]})";
  const ProviderSettings settings = found();
  ASSERT_EQ(settings.providers.size(), 1U);
  EXPECT_EQ(settings.providers[0].endpoint.provider, "llama-server");
  EXPECT_EQ(settings.providers[0].endpoint.dialect, Dialect::kLlamaServer);
  EXPECT_EQ(settings.providers[0].default_model, "tiny.gguf");
}

TEST_F(LocalProvidersTest, AnLmStudioIsUsedByItsFirstLanguageModel) {
  pages_[std::string(kLmStudioAddress) + "/api/v0/models"] =
      R"({"data":[1,{"id":"embed","type":"embeddings"},{"id":"qwen","type":"llm"},{"id":"b","type":"vlm"}]})";
  const ProviderSettings settings = found();
  ASSERT_EQ(settings.providers.size(), 1U);
  EXPECT_EQ(settings.providers[0].endpoint.provider, "lmstudio");
  EXPECT_EQ(settings.providers[0].endpoint.base_url, "http://127.0.0.1:1234/v1");
  EXPECT_EQ(settings.providers[0].default_model, "qwen");
}

TEST_F(LocalProvidersTest, AreNotAskedForWhatIsConfigured) {
  ProviderSettings settings;
  settings.providers.resize(3);
  settings.providers[0].endpoint.provider = "ollama";
  settings.providers[0].default_model = "x";
  settings.providers[1].endpoint.provider = "mine";
  settings.providers[1].endpoint.base_url = "http://127.0.0.1:8080/v1";
  settings.providers[2].endpoint.provider = "lmstudio";
  found(settings);
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(LocalProvidersTest, AConfiguredOllamaIsAskedForItsFirstModel) {
  ProviderSettings settings;
  settings.providers.resize(1);
  settings.providers[0].endpoint.provider = "ollama";
  settings.providers[0].endpoint.base_url = "http://box:1";
  pages_["http://box:1/api/tags"] = R"({"models":[{"name":"m"}]})";
  EXPECT_EQ(found(settings).providers[0].default_model, "m");
}

}  // namespace
}  // namespace clever::provider
