#include "provider/provider_set.h"

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "base/sha256.h"
#include "base/text.h"
#include "provider/model_name.h"

namespace clever::provider {
namespace {

constexpr std::size_t kFingerprintDigits = 16;

std::string short_hash(std::string_view text) {
  return base::sha256(text).to_hex().substr(0, kFingerprintDigits);
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const auto nearest = base::nearest_match(word, candidates);
  return nearest ? "; did you mean " + *nearest + "?" : "";
}

std::vector<std::string> names_of(const std::vector<std::shared_ptr<const Provider>>& providers) {
  std::vector<std::string> names;
  for (const auto& provider : providers) names.push_back(provider->name());
  return names;
}

base::Error nothing_configured() {
  return base::not_found(
      "no model provider is configured; set ANTHROPIC_API_KEY, OPENAI_API_KEY or another "
      "provider's key, or start Ollama; `agents provider list` shows what was found");
}

ModelFacts facts_of(const Catalog& catalog, const Provider& provider, std::string_view model) {
  ModelFacts facts = catalog.find(provider.name(), model);
  if (provider.endpoint().local) facts.price = Price{};
  return facts;
}

base::Error not_of_provider(const Provider& provider, const std::string& model) {
  const auto& models = provider.config().models;
  return base::not_found(provider.name() + ": its configured models do not include '" + model +
                         "'" + suggestion(model, models) + "; it has " +
                         base::joined(models, ", "));
}

}  // namespace

std::string key_fingerprint(std::string_view key) { return key.empty() ? "none" : short_hash(key); }

std::string identity_of(const Endpoint& endpoint) {
  // Prefixes each part with its length, so that no two endpoints give the same text.
  std::string text;
  const auto add = [&text](std::string_view part) {
    text += std::to_string(part.size()) + ":";
    text += part;
  };
  add(endpoint.provider);
  add(to_string(endpoint.wire));
  add(std::to_string(static_cast<int>(endpoint.dialect)));
  add(endpoint.base_url);
  add(key_fingerprint(endpoint.key));
  add(endpoint.api_version);
  add(endpoint.local ? "local" : "remote");
  for (const io::HttpHeader& header : endpoint.headers) {
    add(header.name);
    add(header.value);
  }
  for (const auto deadline : {endpoint.deadlines.connect, endpoint.deadlines.first_byte,
                              endpoint.deadlines.idle, endpoint.deadlines.total}) {
    add(std::to_string(deadline.count()));
  }
  return endpoint.provider + ":" + short_hash(text);
}

ProviderSet::ProviderSet(std::uint64_t version, const ProviderSettings& settings,
                         std::vector<std::shared_ptr<const Provider>> providers)
    : version_(version),
      providers_(std::move(providers)),
      default_model_(settings.default_model),
      fallback_(settings.fallback),
      patience_(settings.patience),
      aliases_(settings.aliases),
      unavailable_(settings.unavailable),
      catalog_(settings.catalog) {}

std::shared_ptr<const Provider> ProviderSet::find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      providers_, [name](const auto& provider) { return provider->name() == name; });
  return found == providers_.end() ? nullptr : *found;
}

base::Result<ResolvedModel> ProviderSet::resolve(std::string_view name) const {
  if (name.empty()) return resolve_default();
  if (const auto alias = aliases_.find(std::string(name)); alias != aliases_.end()) {
    return resolve_full(alias->second).context("the alias " + std::string(name));
  }
  const auto& known = known_aliases();
  const auto alias = std::ranges::find(known, name, &KnownAlias::name);
  if (alias != known.end()) {
    return resolve_known(*alias).context("the alias " + std::string(name));
  }
  return resolve_full(name);
}

base::Result<ResolvedModel> ProviderSet::resolve_known(const KnownAlias& alias) const {
  const auto found = std::ranges::find_if(providers_, [&](const auto& provider) {
    return alias.provider.empty()
               ? provider->config().endpoint.local && !provider->config().default_model.empty()
               : provider->name() == alias.provider;
  });
  if (found == providers_.end()) {
    if (!alias.provider.empty()) return not_configured(std::string(alias.provider));
    return base::not_found(
        "no local model answers: start Ollama, llama-server or LM Studio, or name another model "
        "with --model PROVIDER/MODEL");
  }
  const std::string& usual = (*found)->config().default_model;
  const std::string model = alias.model.empty() ? usual : std::string(alias.model);
  return resolve_full((*found)->name() + "/" + model);
}

base::Result<ResolvedModel> ProviderSet::resolve_default() const {
  if (!default_model_.empty()) return resolve(default_model_).context("model.default");
  if (providers_.empty()) return nothing_configured();
  for (const auto& provider : providers_) {
    const std::string& model = provider->config().default_model;
    if (!model.empty()) {
      return ResolvedModel{provider, model, facts_of(catalog_, *provider, model)};
    }
  }
  return base::not_found("no model was chosen, and " + base::joined(names_of(providers_), ", ") +
                         " has no default: pass --model PROVIDER/MODEL, or `agents config set "
                         "model.default PROVIDER/MODEL`");
}

base::Result<ResolvedModel> ProviderSet::resolve_full(std::string_view name) const {
  const auto parsed = ModelName::parse(name);
  if (!parsed) return not_a_name(name);
  const auto provider = find(parsed->provider);
  if (!provider) return not_configured(parsed->provider);
  const auto& models = provider->config().models;
  if (!models.empty() && std::ranges::find(models, parsed->model) == models.end()) {
    return not_of_provider(*provider, parsed->model);
  }
  return ResolvedModel{provider, parsed->model, facts_of(catalog_, *provider, parsed->model)};
}

base::Error ProviderSet::not_a_name(std::string_view name) const {
  std::string guess;
  for (const auto& provider : providers_) {
    const auto& models = provider->config().models;
    const bool known = catalog_.find(provider->name(), name).pattern == name ||
                       std::ranges::find(models, name) != models.end();
    if (known) guess = "; did you mean " + provider->name() + "/" + std::string(name) + "?";
  }
  std::vector<std::string> aliases;
  for (const auto& [alias, model] : aliases_) aliases.push_back(alias);
  for (const KnownAlias& alias : known_aliases()) aliases.emplace_back(alias.name);
  return base::invalid_argument("'" + std::string(name) +
                                "' is not an alias, and not a model such as provider/model" +
                                (guess.empty() ? suggestion(name, aliases) : guess));
}

base::Error ProviderSet::not_configured(const std::string& provider) const {
  if (const auto found = unavailable_.find(provider); found != unavailable_.end()) {
    return base::not_found("the provider " + provider + " cannot be used: " + found->second);
  }
  if (providers_.empty()) return nothing_configured();
  std::vector<std::string> names = names_of(providers_);
  const std::string configured = base::joined(names, ", ");
  for (const auto& [name, reason] : unavailable_) names.push_back(name);
  return base::not_found("there is no provider " + provider + suggestion(provider, names) +
                         "; configured: " + configured + ", and [provider." + provider +
                         "] in config.toml adds one");
}

base::Result<std::vector<ResolvedModel>> ProviderSet::chain(std::string_view name) const {
  CLEVER_ASSIGN(ResolvedModel first, resolve(name));
  std::vector<ResolvedModel> models;
  models.push_back(std::move(first));
  for (const std::string& next : fallback_) {
    auto model = resolve(next);
    if (!model.ok()) continue;
    const bool there = std::ranges::any_of(
        models, [&](const ResolvedModel& one) { return one.name() == model->name(); });
    if (!there) models.push_back(*std::move(model));
  }
  return models;
}

}  // namespace clever::provider
