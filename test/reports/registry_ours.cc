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

int number_of(const provider::ProviderSet& set, std::string_view name) {
  return std::stoi(set.find(name)->config().default_model);
}

CountingBackend& counter_of(const provider::ProviderSet& set) {
  return static_cast<CountingBackend&>(set.find("version")->runtime()->backend());
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

void Ours::Live::record_failure() { counter_of(*registry_.snapshot()).count(); }

int Ours::Live::failures() const { return counter_of(*registry_.snapshot()).failures(); }

}  // namespace clever::reports::registry
