#include "provider/provider_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/silent_backend.h"

namespace clever::provider {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ProviderConfig config(const std::string& name, const std::string& default_model = "") {
  ProviderConfig config;
  config.endpoint.provider = name;
  config.endpoint.base_url = "https://" + name + ".example.com";
  config.default_model = default_model;
  return config;
}

class ProviderSetTest : public testing::Test {
 protected:
  ProviderSet set() const {
    std::vector<std::shared_ptr<const Provider>> providers;
    for (const ProviderConfig& one : settings_.providers) {
      auto runtime = std::make_shared<ProviderRuntime>(identity_of(one.endpoint),
                                                       std::make_shared<test::SilentBackend>());
      providers.push_back(std::make_shared<const Provider>(one, std::move(runtime)));
    }
    return {1, settings_, std::move(providers)};
  }
  std::string resolved(std::string_view name) const {
    const auto model = set().resolve(name);
    return model.ok() ? model->name() : model.error().sentence();
  }
  base::ErrorCode code_of(std::string_view name) const {
    return set().resolve(name).error().code();
  }
  std::vector<std::string> chain(std::string_view name) const {
    const auto models = set().chain(name);
    std::vector<std::string> names;
    for (const ResolvedModel& model : *models) names.push_back(model.name());
    return names;
  }

  ProviderSettings settings_;
};

TEST_F(ProviderSetTest, ResolvesFullNames) {
  settings_.providers = {config("openai"), config("router")};
  EXPECT_EQ(resolved("openai/gpt-5"), "openai/gpt-5");
  EXPECT_EQ(resolved("router/openai/gpt-5"), "router/openai/gpt-5");
  EXPECT_EQ(set().resolve("router/openai/gpt-5")->provider->name(), "router");
}

TEST_F(ProviderSetTest, ResolvesAliases) {
  settings_.providers = {config("openai")};
  settings_.aliases = {{"fast", "openai/gpt-5-mini"}, {"lost", "nowhere/x"}};
  EXPECT_EQ(resolved("fast"), "openai/gpt-5-mini");
  EXPECT_THAT(resolved("lost"), AllOf(HasSubstr("the alias lost"), HasSubstr("nowhere")));
}

TEST_F(ProviderSetTest, TakesTheDefaultOfTheSettings) {
  settings_.providers = {config("a", "one"), config("b", "two")};
  settings_.default_model = "b/three";
  EXPECT_EQ(resolved(""), "b/three");
  settings_.default_model = "c/x";
  EXPECT_THAT(resolved(""), HasSubstr("model.default"));
}

TEST_F(ProviderSetTest, ElseTakesTheFirstProviderWithADefault) {
  settings_.providers = {config("azure"), config("b", "two"), config("c", "three")};
  EXPECT_EQ(resolved(""), "b/two");
}

TEST_F(ProviderSetTest, SaysThatNoModelIsNamed) {
  settings_.providers = {config("azure")};
  EXPECT_THAT(resolved(""), AllOf(HasSubstr("azure has no default"), HasSubstr("--model")));
  EXPECT_EQ(code_of(""), base::ErrorCode::kNotFound);
}

TEST_F(ProviderSetTest, SaysThatNothingIsConfigured) {
  EXPECT_THAT(resolved(""), AllOf(HasSubstr("no model provider"), HasSubstr("OPENAI_API_KEY")));
  EXPECT_THAT(resolved("openai/gpt-5"), HasSubstr("no model provider"));
}

TEST_F(ProviderSetTest, SaysWhyAProviderCannotBeUsed) {
  settings_.providers = {config("openai")};
  settings_.unavailable = {{"groq", "GROQ_API_KEY is not set"}};
  EXPECT_EQ(resolved("groq/x"), "the provider groq cannot be used: GROQ_API_KEY is not set");
  EXPECT_EQ(code_of("groq/x"), base::ErrorCode::kNotFound);
}

TEST_F(ProviderSetTest, GuessesTheProviderThatWasMeant) {
  settings_.providers = {config("openai")};
  settings_.unavailable = {{"anthropic", "no key"}};
  EXPECT_THAT(resolved("opnai/x"), HasSubstr("did you mean openai?"));
  EXPECT_THAT(resolved("antropic/x"), HasSubstr("did you mean anthropic?"));
  EXPECT_THAT(resolved("zzz/x"),
              AllOf(HasSubstr("configured: openai"), HasSubstr("[provider.zzz]")));
}

TEST_F(ProviderSetTest, RefusesAnInvalidName) {
  settings_.providers = {config("openai")};
  settings_.aliases = {{"fast", "openai/gpt-5-mini"}};
  EXPECT_EQ(code_of("fats"), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(resolved("fats"), HasSubstr("did you mean fast?"));
  EXPECT_THAT(resolved("zzzzz"), AllOf(HasSubstr("is not an alias"), Not(HasSubstr("did you"))));
}

TEST_F(ProviderSetTest, NamesTheProviderOfAModelWithoutOne) {
  settings_.providers = {config("openai")};
  settings_.catalog = Catalog::built_in();
  EXPECT_THAT(resolved("gpt-5"), HasSubstr("did you mean openai/gpt-5?"));
}

TEST_F(ProviderSetTest, RefusesAModelThatAProviderDoesNotHave) {
  settings_.providers = {config("work")};
  settings_.providers[0].models = {"small", "large"};
  EXPECT_EQ(resolved("work/large"), "work/large");
  EXPECT_THAT(resolved("work/lrage"),
              AllOf(HasSubstr("work: its configured models do not include 'lrage'"),
                    HasSubstr("did you mean large?"), HasSubstr("it has small, large")));
  EXPECT_THAT(resolved("small"), HasSubstr("did you mean work/small?"));
}

TEST_F(ProviderSetTest, KnowsWhatAModelCosts) {
  settings_.providers = {config("openai"), config("x")};
  settings_.catalog = Catalog::built_in();
  EXPECT_TRUE(set().resolve("openai/gpt-5")->facts.price);
  EXPECT_FALSE(set().resolve("x/gpt-5")->facts.price);
}

TEST_F(ProviderSetTest, ALocalModelCostsNothing) {
  settings_.providers = {config("openai")};
  settings_.providers[0].endpoint.local = true;
  settings_.catalog = Catalog::built_in();
  EXPECT_EQ(set().resolve("openai/gpt-5")->facts.price, Price{});
}

TEST_F(ProviderSetTest, ChainsTheFallbackWithoutRepetition) {
  settings_.providers = {config("a", "one"), config("b")};
  settings_.aliases = {{"second", "b/two"}};
  settings_.fallback = {"a/one", "second", "missing/x", "b/two", "a/three"};
  EXPECT_THAT(chain(""), ElementsAre("a/one", "b/two", "a/three"));
  EXPECT_THAT(chain("b/two"), ElementsAre("b/two", "a/one", "a/three"));
  EXPECT_FALSE(set().chain("missing/x").ok());
}

TEST_F(ProviderSetTest, FindsProviders) {
  settings_.providers = {config("a"), config("b")};
  EXPECT_EQ(set().find("b")->name(), "b");
  EXPECT_EQ(set().find("c"), nullptr);
  EXPECT_EQ(set().version(), 1U);
}

TEST(KeyFingerprint, IsShortAndNotTheKey) {
  EXPECT_EQ(key_fingerprint("test"), "9f86d081884c7d65");
  EXPECT_EQ(key_fingerprint(""), "none");
}

TEST(Identity, ChangesWithWhateverDecidesHowItIsTalkedTo) {
  const Endpoint base{.provider = "p", .base_url = "https://x", .key = "secret-key-1"};
  const auto differs = [&](auto change) {
    Endpoint other = base;
    change(other);
    return identity_of(other) != identity_of(base);
  };
  EXPECT_FALSE(differs([](Endpoint&) {}));
  EXPECT_TRUE(differs([](Endpoint& e) { e.provider = "q"; }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.wire = Wire::kOllama; }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.dialect = Dialect::kGroq; }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.base_url = "https://y"; }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.key = "secret-key-2"; }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.api_version = "1"; }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.headers = {{"a", "b"}}; }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.deadlines.idle += std::chrono::milliseconds(1); }));
  EXPECT_TRUE(differs([](Endpoint& e) { e.local = true; }));
}

TEST(Identity, HoldsNoKey) {
  const std::string identity = identity_of({.provider = "p", .key = "secret-key-1"});
  EXPECT_THAT(identity, AllOf(testing::StartsWith("p:"), Not(HasSubstr("secret"))));
}

}  // namespace
}  // namespace clever::provider
