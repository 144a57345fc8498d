#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "provider/discovery.h"

namespace clever::provider {
namespace {

// Returns the first "name" or "id" in a list of models, or an empty text.
std::string first_of(const nlohmann::json& document, const char* list, const char* key) {
  if (!document.is_object() || !document.contains(list) || !document[list].is_array()) return {};
  for (const auto& model : document[list]) {
    if (model.is_object() && model.contains(key) && model[key].is_string()) return model[key];
  }
  return {};
}

ProviderConfig* find(ProviderSettings& settings, std::string_view name) {
  const auto found = std::ranges::find_if(settings.providers, [name](const ProviderConfig& config) {
    return config.endpoint.provider == name;
  });
  return found == settings.providers.end() ? nullptr : &*found;
}

bool has_provider_at(const ProviderSettings& settings, std::string_view base_url) {
  return std::ranges::any_of(settings.providers, [base_url](const ProviderConfig& config) {
    return config.endpoint.base_url == base_url;
  });
}

void find_ollama(const LocalFetch& fetch, ProviderSettings& settings) {
  ProviderConfig* present = find(settings, "ollama");
  if (present != nullptr && !present->default_model.empty()) return;
  const std::string address =
      present != nullptr ? present->endpoint.base_url : std::string(kOllamaAddress);
  const auto body = fetch(address + "/api/tags");
  if (!body.ok()) {
    if (const auto why = settings.unavailable.find("ollama"); why != settings.unavailable.end()) {
      why->second = "OLLAMA_HOST is not set, and nothing answers at " + address;
    }
    return;
  }
  const auto document = nlohmann::json::parse(*body, nullptr, false);
  if (!document.is_object() || !document.contains("models")) return;
  std::string first = first_of(document, "models", "name");
  if (present == nullptr) {
    ProviderConfig config;
    config.endpoint = {
        .provider = "ollama", .wire = Wire::kOllama, .base_url = address, .local = true};
    config.origins["base_url"] = "answers on this machine";
    settings.unavailable.erase("ollama");
    settings.providers.push_back(std::move(config));
    present = &settings.providers.back();
  }
  present->default_model = std::move(first);
}

void find_llama_server(const LocalFetch& fetch, ProviderSettings& settings) {
  const std::string address = std::string(kLlamaServerAddress) + "/v1";
  if (find(settings, "llama-server") != nullptr || has_provider_at(settings, address)) return;
  const auto body = fetch(address + "/models");
  if (!body.ok()) return;
  const auto document = nlohmann::json::parse(*body, nullptr, false);
  // Other servers use that port too; only llama.cpp reports this owner.
  if (first_of(document, "data", "owned_by") != "llamacpp") return;
  ProviderConfig config;
  config.endpoint = {.provider = "llama-server",
                     .wire = Wire::kOpenAiChat,
                     .dialect = Dialect::kLlamaServer,
                     .base_url = address,
                     .local = true};
  config.default_model = first_of(document, "data", "id");
  config.origins["base_url"] = "answers on this machine";
  settings.providers.push_back(std::move(config));
}

// Its own API, which no other server has, tells language models from those for embeddings.
void find_lm_studio(const LocalFetch& fetch, ProviderSettings& settings) {
  const std::string address = std::string(kLmStudioAddress) + "/v1";
  if (find(settings, "lmstudio") != nullptr || has_provider_at(settings, address)) return;
  const auto body = fetch(std::string(kLmStudioAddress) + "/api/v0/models");
  if (!body.ok()) return;
  const auto document = nlohmann::json::parse(*body, nullptr, false);
  if (!document.is_object() || !document.contains("data") || !document["data"].is_array()) return;
  for (const auto& model : document["data"]) {
    if (!model.is_object() || !model.contains("id") || !model["id"].is_string()) continue;
    const std::string type = model.value("type", "");
    if (type != "llm" && type != "vlm") continue;
    ProviderConfig config;
    config.endpoint = {
        .provider = "lmstudio", .wire = Wire::kOpenAiChat, .base_url = address, .local = true};
    config.default_model = model["id"].get<std::string>();
    config.origins["base_url"] = "answers on this machine";
    settings.providers.push_back(std::move(config));
    return;
  }
}

}  // namespace

void find_local(const LocalFetch& fetch, ProviderSettings& settings) {
  find_ollama(fetch, settings);
  find_llama_server(fetch, settings);
  find_lm_studio(fetch, settings);
}

}  // namespace clever::provider
