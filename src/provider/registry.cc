#include "provider/registry.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/plant.h"
#include "provider/base_url.h"
#include "provider/model_name.h"

namespace clever::provider {
namespace {

using SetPointer = std::shared_ptr<const ProviderSet>;

base::Error wrong_endpoint(const Endpoint& endpoint, const std::string& what) {
  return base::invalid_argument("provider " + endpoint.provider + ": " + what);
}

bool needs_address(Wire wire) { return wire != Wire::kScripted && wire != Wire::kReplay; }

base::Result<void> check_limit(const Endpoint& endpoint, std::string_view name,
                               const std::optional<std::int64_t>& limit) {
  if (!limit || *limit > 0) return {};
  return wrong_endpoint(endpoint, std::string(name) + " is " + std::to_string(*limit) +
                                      "; expected a whole number, 1 or more");
}

base::Result<void> check(const ProviderConfig& config) {
  const Endpoint& endpoint = config.endpoint;
  if (!is_provider_name(endpoint.provider)) {
    return base::invalid_argument("a provider's name has only letters, digits, _ and -, not '" +
                                  endpoint.provider + "'");
  }
  if (needs_address(endpoint.wire)) {
    if (const auto url = BaseUrl::parse(endpoint.base_url); !url.ok()) {
      return wrong_endpoint(endpoint, "its base URL: " + url.error().message());
    }
  }
  CLEVER_TRY(check_limit(endpoint, "requests_per_minute", config.limits.requests_per_minute));
  CLEVER_TRY(check_limit(endpoint, "tokens_per_minute", config.limits.tokens_per_minute));
  return check_limit(endpoint, "max_concurrency", config.limits.max_concurrency);
}

base::Result<void> check(const ProviderSettings& settings) {
  std::vector<std::string> names;
  for (const ProviderConfig& config : settings.providers) {
    CLEVER_TRY(check(config));
    if (std::ranges::find(names, config.endpoint.provider) != names.end()) {
      return wrong_endpoint(config.endpoint, "is configured twice; give one of them another name");
    }
    names.push_back(config.endpoint.provider);
  }
  return {};
}

std::shared_ptr<ProviderRuntime> runtime_in(const ProviderSet& set, const std::string& identity) {
  if (base::planted("registry.forgets_runtimes")) return nullptr;
  for (const auto& provider : set.providers()) {
    if (provider->runtime()->identity() == identity) return provider->runtime();
  }
  return nullptr;
}

using Runtimes = std::vector<std::shared_ptr<ProviderRuntime>>;

// Makes the missing runtimes; keeps those of an earlier attempt.
base::Result<void> make_missing(const ProviderSettings& settings, const ProviderSet& present,
                                const BackendFactory& factory, Runtimes& made) {
  made.resize(settings.providers.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Endpoint& endpoint = settings.providers[i].endpoint;
    std::string identity = identity_of(endpoint);
    if (made[i] || runtime_in(present, identity)) continue;
    CLEVER_ASSIGN(auto backend, factory(endpoint));
    if (!backend) return wrong_endpoint(endpoint, "this program does not speak its wire format");
    made[i] = std::make_shared<ProviderRuntime>(std::move(identity), std::move(backend));
  }
  return {};
}

SetPointer next_set(const ProviderSettings& settings, const ProviderSet& present,
                    const Runtimes& made) {
  std::vector<std::shared_ptr<const Provider>> providers;
  for (std::size_t i = 0; i < settings.providers.size(); ++i) {
    const ProviderConfig& config = settings.providers[i];
    auto kept = runtime_in(present, identity_of(config.endpoint));
    providers.push_back(std::make_shared<const Provider>(config, kept ? kept : made[i]));
  }
  return std::make_shared<const ProviderSet>(present.version() + 1, settings, std::move(providers));
}

// A planted fault: shows readers a set that is replaced provider by provider.
SetPointer half_of(const ProviderSettings& settings, const SetPointer& present,
                   const Runtimes& made) {
  if (present->providers().size() != settings.providers.size()) return present;
  ProviderSettings half = settings;
  half.providers.back() = present->providers().back()->config();
  return next_set(half, *present, made);
}

}  // namespace

ProviderRegistry::ProviderRegistry(BackendFactory factory)
    : factory_(std::move(factory)),
      current_(std::in_place,
               std::make_shared<const ProviderSet>(
                   0, ProviderSettings{}, std::vector<std::shared_ptr<const Provider>>{})) {}

SetPointer ProviderRegistry::snapshot() const {
  return current_.with([](const SetPointer& current) { return current; });
}

base::Result<SetPointer> ProviderRegistry::reconfigure(const ProviderSettings& settings) {
  CLEVER_TRY(check(settings));
  Runtimes made;
  SetPointer present = snapshot();
  while (true) {
    CLEVER_TRY(make_missing(settings, *present, factory_, made));
    SetPointer next = next_set(settings, *present, made);
    if (base::planted("registry.publishes_nothing")) return next;
    if (base::planted("registry.publishes_in_halves")) {
      present = half_of(settings, present, made);
      current_.with([&](SetPointer& current) { current = present; });
    }
    // If another thread published meanwhile, start again from its set. Each repetition means that a
    // thread succeeded, so the loop is lock-free.
    SetPointer seen = current_.with([&](SetPointer& current) {
      if (current != present) return current;
      version_.store(next->version());
      return std::exchange(current, next);
    });
    if (seen == present) return next;
    present = std::move(seen);
  }
}

}  // namespace clever::provider
