#include <gtest/gtest.h>

#include <string>

#include "explore/explore.h"
#include "provider/registry.h"
#include "support/every_schedule.h"
#include "support/silent_backend.h"

namespace clever::provider {
namespace {

// Two providers whose models bear the same mark: a reader that sees them differ saw a mixture.
ProviderSettings marked(const std::string& mark) {
  ProviderSettings settings;
  for (const char* name : {"a", "b"}) {
    ProviderConfig config;
    config.endpoint.provider = name;
    config.endpoint.base_url = "https://example.com";
    config.default_model = mark;
    settings.providers.push_back(config);
  }
  return settings;
}

std::string mark_of(const ProviderSet& set, std::string_view name) {
  const auto provider = set.find(name);
  return provider == nullptr ? "" : provider->config().default_model;
}

BackendFactory silent() {
  return [](const Endpoint&) { return std::make_shared<test::SilentBackend>(); };
}

// What a version counter suggests to the hasty: announced first, the contents afterwards.
class HastyRegistry {
 public:
  void publish(std::shared_ptr<const ProviderSet> next) {
    version_.store(next->version());
    current_.with([&](auto& current) { current = std::move(next); });
  }
  [[nodiscard]] std::shared_ptr<const ProviderSet> snapshot() const {
    return current_.with([](const auto& current) { return current; });
  }
  // Remembers what was announced, and fetches only when that changes.
  class Reader {
   public:
    explicit Reader(const HastyRegistry& registry)
        : registry_(registry), set_(registry.snapshot()) {}
    std::shared_ptr<const ProviderSet> current() {
      if (const auto announced = registry_.version_.load(); announced != seen_) {
        seen_ = announced;
        set_ = registry_.snapshot();
      }
      return set_;
    }

   private:
    const HastyRegistry& registry_;
    std::uint64_t seen_ = 0;
    std::shared_ptr<const ProviderSet> set_;
  };

 private:
  base::Guarded<std::shared_ptr<const ProviderSet>> current_{
      std::in_place, std::make_shared<const ProviderSet>(
                         0, ProviderSettings{}, std::vector<std::shared_ptr<const Provider>>{})};
  base::Atomic<std::uint64_t> version_{0};
};

// What is published is seen by a reader that looks afterwards, even if it looked in between.
TEST(RegistryExplore, AHastyReaderMissesWhatWasPublished) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, [](explore::Run& run) {
                 HastyRegistry registry;
                 HastyRegistry::Reader reader(registry);
                 run.thread("settings", [&] {
                   registry.publish(std::make_shared<const ProviderSet>(
                       1, ProviderSettings{}, std::vector<std::shared_ptr<const Provider>>{}));
                 });
                 run.thread("reader", [&] { reader.current(); });
                 run.join();
                 run.require(reader.current()->version() == 1, "the reader missed a version");
               }));
}

TEST(RegistryExplore, AReaderMissesNothing) {
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, [](explore::Run& run) {
    ProviderRegistry registry(silent());
    ProviderRegistry::Reader reader(registry);
    run.thread("settings", [&] { registry.reconfigure(marked("x")).value(); });
    run.thread("reader", [&] { static_cast<void>(reader.current()); });
    run.join();
    run.require(reader.current()->version() == 1, "the reader missed a version");
  }));
}

TEST(RegistryExplore, AReaderSeesWholeVersionsInTheirOrder) {
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, [](explore::Run& run) {
    ProviderRegistry registry(silent());
    run.thread("first", [&] { registry.reconfigure(marked("x")).value(); });
    run.thread("second", [&] { registry.reconfigure(marked("y")).value(); });
    run.thread("reader", [&] {
      ProviderRegistry::Reader reader(registry);
      std::uint64_t last = 0;
      for (int i = 0; i < 3; ++i) {
        const auto set = i == 1 ? registry.snapshot() : reader.current();
        run.require(mark_of(*set, "a") == mark_of(*set, "b"), "a mixture");
        run.require(set->version() >= last, "backwards");
        last = set->version();
      }
    });
    run.join();
  }));
}

TEST(RegistryExplore, ConcurrentReconfigurationsGetTheirOwnVersions) {
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, [](explore::Run& run) {
    ProviderRegistry registry(silent());
    std::shared_ptr<const ProviderSet> first;
    std::shared_ptr<const ProviderSet> second;
    run.thread("first", [&] { first = registry.reconfigure(marked("x")).value(); });
    run.thread("second", [&] { second = registry.reconfigure(marked("y")).value(); });
    run.join();
    const auto last = first->version() > second->version() ? first : second;
    run.require(first->version() + second->version() == 3, "two of one version");
    run.require(registry.snapshot() == last, "the last published is not what is seen");
  }));
}

// Keeps what the present set has, as it was when the reconfiguration began.
class RacyRegistry {
 public:
  std::shared_ptr<const ProviderSet> reconfigure(const ProviderSettings& settings) {
    const auto present = current_.with([](const auto& current) { return current; });
    std::vector<std::shared_ptr<const Provider>> providers;
    for (const ProviderConfig& config : settings.providers) {
      const auto known = present == nullptr ? nullptr : present->find(config.endpoint.provider);
      providers.push_back(std::make_shared<const Provider>(
          config,
          known ? known->runtime()
                : std::make_shared<ProviderRuntime>(identity_of(config.endpoint),
                                                    std::make_shared<test::SilentBackend>())));
    }
    auto next = std::make_shared<const ProviderSet>(1, settings, std::move(providers));
    current_.with([&](auto& current) { current = next; });
    return next;
  }

 private:
  base::Guarded<std::shared_ptr<const ProviderSet>> current_;
};

template <class R>
void keeps_runtimes(explore::Run& run, R& registry) {
  std::shared_ptr<ProviderRuntime> first;
  std::shared_ptr<ProviderRuntime> second;
  const auto runtime_of = [&](const ProviderSettings& settings) {
    if constexpr (std::is_same_v<R, ProviderRegistry>) {
      return registry.reconfigure(settings).value()->find("a")->runtime();
    } else {
      return registry.reconfigure(settings)->find("a")->runtime();
    }
  };
  run.thread("first", [&] { first = runtime_of(marked("x")); });
  run.thread("second", [&] { second = runtime_of(marked("y")); });
  run.join();
  run.require(first == second, "the state of a provider was thrown away");
}

TEST(RegistryExplore, ReusingWhatWasThereAtTheBeginningLosesState) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, [](explore::Run& run) {
                 RacyRegistry registry;
                 keeps_runtimes(run, registry);
               }));
}

TEST(RegistryExplore, StateSurvivesReconfigurationsThatRace) {
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, [](explore::Run& run) {
    ProviderRegistry registry(silent());
    keeps_runtimes(run, registry);
  }));
}

// A bad setting beside a good one: whole or not at all.
TEST(RegistryExplore, ARefusalChangesNothing) {
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, [](explore::Run& run) {
    ProviderRegistry registry(silent());
    run.thread("good", [&] { registry.reconfigure(marked("x")).value(); });
    run.thread("bad", [&] {
      ProviderSettings bad = marked("y");
      bad.providers[1].endpoint.base_url.clear();
      run.require(!registry.reconfigure(bad).ok(), "a bad setting was taken");
    });
    run.join();
    run.require(registry.snapshot()->version() == 1, "a refusal was published");
    run.require(mark_of(*registry.snapshot(), "a") == "x", "a part of a refusal was published");
  }));
}

}  // namespace
}  // namespace clever::provider
