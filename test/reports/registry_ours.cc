#include "reports/registry_ours.h"

#include <string>

#include "base/guarded.h"

namespace clever::reports::registry {
namespace {

// State that belongs to a provider for as long as its endpoint stays the same.
class CountingBackend final : public provider::Backend {
 public:
  std::unique_ptr<provider::Attempt> start(
      const std::string& /*model*/, const provider::ModelRequest& /*request*/,
      std::shared_ptr<provider::AttemptSink> /*sink*/) override {
    return nullptr;
  }
  void count() {
    failures_.with([](int& failures) { ++failures; });
  }
  [[nodiscard]] int failures() const {
    return failures_.with([](const int& failures) { return failures; });
  }

 private:
  base::Guarded<int> failures_;
};

provider::ProviderConfig config(const std::string& name, int number) {
  provider::ProviderConfig config;
  config.endpoint.provider = name;
  config.endpoint.base_url = "https://example.com";
  config.default_model = std::to_string(number);
  return config;
}

provider::ProviderSettings settings_for(Settings settings) {
  return {.providers = {config("version", settings.version), config("mirror", settings.mirror)}};
}

// What a faulty registry has lost is no number, and counts nothing.
int number_of(const provider::ProviderSet& set, std::string_view name) {
  const auto found = set.find(name);
  return found == nullptr ? -1 : std::stoi(found->config().default_model);
}

CountingBackend* counter_of(const provider::ProviderSet& set) {
  const auto found = set.find("version");
  if (found == nullptr || found->runtime() == nullptr) return nullptr;
  return &static_cast<CountingBackend&>(found->runtime()->backend());
}

}  // namespace

Ours::Live::Live()
    : registry_([](const provider::Endpoint&) {
        construction_work();
        return std::make_shared<CountingBackend>();
      }) {
  apply(settings_of_version(0));
}

Settings Ours::Live::settings() const {
  const auto set = registry_.snapshot();
  return {.version = number_of(*set, "version"), .mirror = number_of(*set, "mirror")};
}

void Ours::Live::apply(Settings settings) { registry_.reconfigure(settings_for(settings)).value(); }

void Ours::Live::record_failure() {
  const auto set = registry_.snapshot();
  if (CountingBackend* const counter = counter_of(*set)) counter->count();
}

int Ours::Live::failures() const {
  const auto set = registry_.snapshot();
  const CountingBackend* const counter = counter_of(*set);
  return counter == nullptr ? 0 : counter->failures();
}

}  // namespace clever::reports::registry
