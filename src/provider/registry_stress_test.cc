// 200 real threads on one registry, watched by ThreadSanitizer.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "base/guarded.h"
#include "provider/registry.h"
#include "support/silent_backend.h"
#include "support/together.h"

namespace clever::provider {
namespace {

// Both providers bear the mark; the endpoint of the first never changes.
ProviderSettings marked(const std::string& mark) {
  ProviderSettings settings;
  for (const char* name : {"stays", "changes"}) {
    ProviderConfig config;
    config.endpoint.provider = name;
    config.endpoint.base_url = "https://example.com";
    config.default_model = mark;
    settings.providers.push_back(config);
  }
  settings.providers[1].endpoint.key = mark;
  return settings;
}

std::string mark_of(const ProviderSet& set, std::string_view name) {
  const auto provider = set.find(name);
  return provider == nullptr ? "" : provider->config().default_model;
}

class RegistryStress : public testing::Test {
 protected:
  ProviderRegistry registry_{
      [](const Endpoint&) { return std::make_shared<test::SilentBackend>(); }};
};

TEST_F(RegistryStress, EverybodyGetsTheSameProviders) {
  registry_.reconfigure(marked("x")).value();
  base::Guarded<std::set<const ProviderSet*>> seen;
  test::together(test::kManyThreads, [&](int) {
    const auto set = registry_.snapshot();
    seen.with([&](auto& sets) { sets.insert(set.get()); });
  });
  EXPECT_EQ(seen.with([](const auto& sets) { return sets.size(); }), 1U);
}

TEST_F(RegistryStress, ReadersSeeWholePublishedVersionsInOrder) {
  constexpr int kRounds = 50;
  base::Guarded<std::map<std::uint64_t, std::string>> published;
  base::Guarded<std::map<std::uint64_t, std::string>> seen;
  base::Guarded<int> failures;
  const auto fail_unless = [&](bool holds) {
    if (!holds) failures.with([](int& count) { ++count; });
  };
  test::together(test::kManyThreads, [&](int worker) {
    ProviderRegistry::Reader reader(registry_);
    std::uint64_t last = 0;
    std::map<std::uint64_t, std::string> mine;
    for (int round = 0; round < kRounds; ++round) {
      if (worker % 10 == 0) {
        const std::string mark = std::to_string(worker) + "/" + std::to_string(round);
        const auto set = registry_.reconfigure(marked(mark)).value();
        published.with([&](auto& all) { fail_unless(all.emplace(set->version(), mark).second); });
        fail_unless(set->version() > last);
      }
      const auto& set = round % 3 == 0 ? registry_.snapshot() : reader.current();
      fail_unless(set->version() >= last);
      fail_unless(mark_of(*set, "stays") == mark_of(*set, "changes"));
      last = set->version();
      mine[last] = mark_of(*set, "stays");
    }
    seen.with([&](auto& all) { all.insert(mine.begin(), mine.end()); });
  });
  EXPECT_EQ(failures.with([](const int& count) { return count; }), 0);
  auto expected = published.with([](const auto& all) { return all; });
  EXPECT_EQ(expected.size(), 20U * kRounds);
  EXPECT_EQ(expected.rbegin()->first, expected.size());
  expected.emplace(0, "");
  for (const auto& [version, mark] : seen.with([](const auto& all) { return all; })) {
    EXPECT_EQ(expected[version], mark) << version;
  }
}

TEST_F(RegistryStress, StateSurvivesAllOfThem) {
  registry_.reconfigure(marked("x")).value();
  const auto runtime = registry_.snapshot()->find("stays")->runtime();
  test::together(test::kManyThreads, [&](int worker) {
    registry_.reconfigure(marked(std::to_string(worker))).value();
  });
  EXPECT_EQ(registry_.snapshot()->find("stays")->runtime(), runtime);
  EXPECT_EQ(registry_.snapshot()->version(), 1U + test::kManyThreads);
}

}  // namespace
}  // namespace clever::provider
