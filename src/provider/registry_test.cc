#include "provider/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/silent_backend.h"

namespace clever::provider {
namespace {

using testing::AllOf;
using testing::HasSubstr;

ProviderSettings settings_of(std::initializer_list<const char*> names,
                             const std::string& key = "k") {
  ProviderSettings settings;
  for (const char* name : names) {
    ProviderConfig config;
    config.endpoint.provider = name;
    config.endpoint.base_url = "https://example.com";
    config.endpoint.key = key;
    settings.providers.push_back(config);
  }
  return settings;
}

class RegistryTest : public testing::Test {
 protected:
  std::string refusal(const ProviderSettings& settings) {
    const auto published = registry_.reconfigure(settings);
    return published.ok() ? "" : published.error().message();
  }
  std::shared_ptr<ProviderRuntime> runtime(std::string_view name) {
    return registry_.snapshot()->find(name)->runtime();
  }

  int made_ = 0;
  base::Result<std::shared_ptr<Backend>> outcome_ = std::shared_ptr<Backend>();
  ProviderRegistry registry_{[this](const Endpoint&) -> base::Result<std::shared_ptr<Backend>> {
    ++made_;
    if (!outcome_.ok() || *outcome_) return outcome_;
    return std::make_shared<test::SilentBackend>();
  }};
};

TEST_F(RegistryTest, BeginsEmpty) {
  EXPECT_EQ(registry_.snapshot()->version(), 0U);
  EXPECT_TRUE(registry_.snapshot()->providers().empty());
}

TEST_F(RegistryTest, PublishesWithTheNextVersion) {
  EXPECT_EQ((*registry_.reconfigure(settings_of({"a"})))->version(), 1U);
  const auto second = *registry_.reconfigure(settings_of({"a", "b"}));
  EXPECT_EQ(second->version(), 2U);
  EXPECT_EQ(registry_.snapshot(), second);
}

TEST_F(RegistryTest, ASnapshotOutlivesItsReplacement) {
  const auto before = *registry_.reconfigure(settings_of({"a"}));
  ASSERT_TRUE(registry_.reconfigure(settings_of({"b"})).ok());
  EXPECT_NE(before->find("a"), nullptr);
  EXPECT_EQ(before->find("b"), nullptr);
}

TEST_F(RegistryTest, AnUnchangedProviderKeepsItsRuntime) {
  ASSERT_TRUE(registry_.reconfigure(settings_of({"a", "b"})).ok());
  const auto before = runtime("a");
  ProviderSettings changed = settings_of({"b", "a", "c"});
  changed.providers[1].limits.requests_per_minute = 5;
  ASSERT_TRUE(registry_.reconfigure(changed).ok());
  EXPECT_EQ(runtime("a"), before);
  EXPECT_EQ(registry_.snapshot()->find("a")->limits().requests_per_minute, 5);
  EXPECT_EQ(made_, 3);
}

TEST_F(RegistryTest, AChangedProviderGetsANewRuntime) {
  ASSERT_TRUE(registry_.reconfigure(settings_of({"a"}, "old")).ok());
  const auto before = runtime("a");
  ASSERT_TRUE(registry_.reconfigure(settings_of({"a"}, "new")).ok());
  EXPECT_NE(runtime("a"), before);
  EXPECT_NE(runtime("a")->identity(), before->identity());
}

TEST_F(RegistryTest, RefusesABadSettingWhole) {
  const auto before = *registry_.reconfigure(settings_of({"a"}));
  ProviderSettings bad = settings_of({"b", "c"});
  bad.providers[1].endpoint.base_url = "nonsense";
  EXPECT_THAT(refusal(bad), AllOf(HasSubstr("provider c"), HasSubstr("base URL")));
  EXPECT_EQ(registry_.snapshot(), before);
  EXPECT_EQ(made_, 1);
}

TEST_F(RegistryTest, NamesWhatIsWrong) {
  EXPECT_THAT(refusal(settings_of({"a", "a"})), HasSubstr("configured twice"));
  EXPECT_THAT(refusal(settings_of({"a b"})), HasSubstr("letters, digits"));
  ProviderSettings limited = settings_of({"a"});
  limited.providers[0].limits.requests_per_minute = 0;
  EXPECT_THAT(refusal(limited), HasSubstr("requests_per_minute is 0"));
  limited.providers[0].limits = {.tokens_per_minute = -1};
  EXPECT_THAT(refusal(limited), HasSubstr("tokens_per_minute is -1"));
  limited.providers[0].limits = {.max_concurrency = 0};
  EXPECT_THAT(refusal(limited), HasSubstr("max_concurrency is 0"));
}

TEST_F(RegistryTest, NeedsNoAddressForAScript) {
  ProviderSettings settings = settings_of({"scripted"});
  settings.providers[0].endpoint.base_url = "a file.yaml";
  settings.providers[0].endpoint.wire = Wire::kScripted;
  EXPECT_EQ(refusal(settings), "");
}

TEST_F(RegistryTest, RefusesWhatCannotBeTalkedTo) {
  outcome_ = base::not_found("there is no such script");
  EXPECT_EQ(refusal(settings_of({"a"})), "there is no such script");
  EXPECT_EQ(registry_.snapshot()->version(), 0U);
}

TEST(Registry, RefusesAFactoryThatMakesNothing) {
  ProviderRegistry registry([](const Endpoint&) { return std::shared_ptr<Backend>(); });
  EXPECT_THAT(registry.reconfigure(settings_of({"a"})).error().message(),
              HasSubstr("this program does not speak its wire format"));
}

TEST_F(RegistryTest, AReaderSeesWhatIsPublished) {
  ProviderRegistry::Reader reader(registry_);
  EXPECT_EQ(reader.current()->version(), 0U);
  ASSERT_TRUE(registry_.reconfigure(settings_of({"a"})).ok());
  EXPECT_EQ(reader.current(), registry_.snapshot());
  EXPECT_EQ(&reader.current()->providers(), &reader.current()->providers());
}

}  // namespace
}  // namespace clever::provider
