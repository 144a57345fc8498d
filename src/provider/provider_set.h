#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "provider/backend.h"
#include "provider/catalog.h"
#include "provider/endpoint.h"
#include "provider/known_providers.h"

namespace clever::provider {

/// Limits that a person set. Absent ones are learned from the provider's answers.
struct ProviderLimits {
  std::optional<std::int64_t> requests_per_minute{};
  std::optional<std::int64_t> tokens_per_minute{};
  std::optional<std::int64_t> max_concurrency{};
  friend bool operator==(const ProviderLimits&, const ProviderLimits&) = default;
};

/// One provider, from settings and environment. A value, never printed: it holds the key.
struct ProviderConfig {
  Endpoint endpoint{};
  ProviderLimits limits{};
  /// The model for calls without a name; empty: calls must name one.
  std::string default_model{};
  /// If not empty, the provider has no others.
  std::vector<std::string> models{};
  /// The variable that the key comes from; empty without a key.
  std::string key_variable{};
  /// The origin of each setting: "base_url" → "OPENAI_BASE_URL".
  std::map<std::string, std::string> origins{};
};

/// The configuration of a registry: providers in order of preference. A value.
struct ProviderSettings {
  std::vector<ProviderConfig> providers{};
  /// "provider/model" or an alias; empty: that of the first provider with one.
  std::string default_model{};
  /// Tried in this order after the requested model gave up.
  std::vector<std::string> fallback{};
  /// How long a call waits for an overloaded or unreachable provider.
  std::chrono::milliseconds patience{std::chrono::hours{6}};
  std::map<std::string, std::string> aliases{};
  /// Known providers that cannot be used, and why: "openai" → "OPENAI_API_KEY is not set".
  std::map<std::string, std::string> unavailable{};
  Catalog catalog{};
};

/// A short, irreversible name of a key (16 hexadecimal digits of its SHA-256); "none" without one.
[[nodiscard]] std::string key_fingerprint(std::string_view key);

/// Identifies a provider together with everything that decides how it is called; equal exactly if
/// all of that is equal. Holds no secret: "openai:9f86d081884c7d65".
[[nodiscard]] std::string identity_of(const Endpoint& endpoint);

/// The part of a provider that lasts while its endpoint stays the same, through any
/// reconfiguration. Per-provider state (limits, circuits) is keyed by identity().
///
/// Thread-safe. Held by the snapshots that have it and by the calls in flight.
class ProviderRuntime {
 public:
  ProviderRuntime(std::string identity, std::shared_ptr<Backend> backend)
      : identity_(std::move(identity)), backend_(std::move(backend)) {}

  [[nodiscard]] const std::string& identity() const noexcept { return identity_; }
  [[nodiscard]] Backend& backend() const noexcept { return *backend_; }

 private:
  const std::string identity_;
  const std::shared_ptr<Backend> backend_;
};

/// One provider of a snapshot. Immutable; safe to share.
class Provider {
 public:
  Provider(ProviderConfig config, std::shared_ptr<ProviderRuntime> runtime)
      : config_(std::move(config)),
        key_fingerprint_(provider::key_fingerprint(config_.endpoint.key)),
        runtime_(std::move(runtime)) {}

  [[nodiscard]] const std::string& name() const noexcept { return config_.endpoint.provider; }
  [[nodiscard]] const ProviderConfig& config() const noexcept { return config_; }
  [[nodiscard]] const Endpoint& endpoint() const noexcept { return config_.endpoint; }
  [[nodiscard]] const ProviderLimits& limits() const noexcept { return config_.limits; }
  [[nodiscard]] const std::string& key_fingerprint() const noexcept { return key_fingerprint_; }
  [[nodiscard]] const std::shared_ptr<ProviderRuntime>& runtime() const noexcept {
    return runtime_;
  }

 private:
  const ProviderConfig config_;
  const std::string key_fingerprint_;
  const std::shared_ptr<ProviderRuntime> runtime_;
};

/// A model that can be called. Keeps its provider alive through reconfigurations.
struct ResolvedModel {
  std::shared_ptr<const Provider> provider{};
  /// The provider's name for it, without "provider/".
  std::string model{};
  ModelFacts facts{};

  /// "provider/model"
  [[nodiscard]] std::string name() const { return provider->name() + "/" + model; }
};

/// A snapshot of all providers. Immutable; safe to share.
class ProviderSet {
 public:
  /// `providers` correspond to `settings.providers`, one by one.
  ProviderSet(std::uint64_t version, const ProviderSettings& settings,
              std::vector<std::shared_ptr<const Provider>> providers);

  /// 0 before the first configuration; grows by 1 with every reconfiguration.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
  [[nodiscard]] const std::vector<std::shared_ptr<const Provider>>& providers() const noexcept {
    return providers_;
  }
  /// nullptr for an unknown name.
  [[nodiscard]] std::shared_ptr<const Provider> find(std::string_view name) const;
  [[nodiscard]] const Catalog& catalog() const noexcept { return catalog_; }
  [[nodiscard]] const std::map<std::string, std::string>& aliases() const noexcept {
    return aliases_;
  }
  [[nodiscard]] std::chrono::milliseconds patience() const noexcept { return patience_; }

  /// Resolves a name: "provider/model", an alias, or an empty text for the default (from the
  /// settings, else of the first provider that has one). `not_found` lists what there is,
  /// `invalid_argument` shows the form of a model's name.
  [[nodiscard]] base::Result<ResolvedModel> resolve(std::string_view name) const;
  /// The same, followed by the fallback models, without duplicates, in order. Skips a fallback
  /// whose provider is not configured.
  [[nodiscard]] base::Result<std::vector<ResolvedModel>> chain(std::string_view name) const;

 private:
  [[nodiscard]] base::Result<ResolvedModel> resolve_full(std::string_view name) const;
  [[nodiscard]] base::Result<ResolvedModel> resolve_known(const KnownAlias& alias) const;
  [[nodiscard]] base::Result<ResolvedModel> resolve_default() const;
  [[nodiscard]] base::Error not_a_name(std::string_view name) const;
  [[nodiscard]] base::Error not_configured(const std::string& provider) const;

  // Constant after construction.
  const std::uint64_t version_;
  const std::vector<std::shared_ptr<const Provider>> providers_;
  const std::string default_model_;
  const std::vector<std::string> fallback_;
  const std::chrono::milliseconds patience_;
  const std::map<std::string, std::string> aliases_;
  const std::map<std::string, std::string> unavailable_;
  const Catalog catalog_;
};

}  // namespace clever::provider
