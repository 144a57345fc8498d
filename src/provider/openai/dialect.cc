#include "provider/openai/dialect.h"

#include <algorithm>

#include "base/sha256.h"
#include "provider/internal/wire_request.h"

namespace clever::provider::openai {
namespace {

using internal::percent_encoded;
using internal::with_path;

constexpr std::string_view kAzureV1 = "/openai/v1";
constexpr std::string_view kCohereCompatible = "/compatibility/v1";

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string with_version(std::string url, const Endpoint& endpoint) {
  if (endpoint.api_version.empty()) return url;
  return std::move(url) + "?api-version=" + percent_encoded(endpoint.api_version);
}

// Returns whether this is Azure's API without versions.
bool is_azure_v1(const Endpoint& endpoint) {
  return endpoint.api_version.empty() || endpoint.base_url.ends_with(kAzureV1);
}

std::string azure_v1(const Endpoint& endpoint) {
  if (endpoint.base_url.ends_with("/openai")) return endpoint.base_url + "/v1";
  return with_path(endpoint.base_url, kAzureV1);
}

std::string azure_address(const Endpoint& endpoint, std::string_view model, std::string_view path) {
  if (is_azure_v1(endpoint)) {
    return with_version(azure_v1(endpoint) + std::string(path), endpoint);
  }
  const std::string base = with_path(endpoint.base_url, "/openai");
  // Only Chat Completions has the deployment in its address.
  if (path == "/responses") return with_version(base + std::string(path), endpoint);
  return with_version(base + "/deployments/" + percent_encoded(model) + std::string(path),
                      endpoint);
}

// Strips the maker: "openai/gpt-5" becomes "gpt-5".
std::string_view bare(std::string_view model) {
  const std::size_t slash = model.rfind('/');
  return slash == std::string_view::npos ? model : model.substr(slash + 1);
}

}  // namespace

bool is_openai(const Endpoint& endpoint) {
  return endpoint.dialect == Dialect::kAzure ||
         endpoint.base_url.starts_with("https://api.openai.com");
}

bool is_reasoning_model(std::string_view model) {
  const std::string_view name = bare(model);
  if (name.starts_with("gpt-oss")) return true;
  if (name.starts_with("gpt-")) {
    return internal::version_of(name).major >= 5 && !name.contains("-chat");
  }
  return name.size() >= 2 && name[0] == 'o' && name[1] >= '1' && name[1] <= '9';
}

std::string_view output_limit_name(const Endpoint& endpoint) {
  const bool newer = is_openai(endpoint) || endpoint.dialect == Dialect::kGroq;
  return newer ? "max_completion_tokens" : "max_tokens";
}

bool takes_reasoning_effort(const Endpoint& endpoint, std::string_view model) {
  const bool never =
      endpoint.dialect == Dialect::kMistral || endpoint.dialect == Dialect::kOpenRouter;
  return !never && is_reasoning_model(model);
}

std::string call_id(const Endpoint& endpoint, const std::string& id) {
  constexpr std::size_t kMistralSize = 9;
  if (endpoint.dialect != Dialect::kMistral) return id;
  if (id.size() == kMistralSize && std::ranges::all_of(id, is_alphanumeric)) return id;
  return base::sha256(id).to_hex().substr(0, kMistralSize);
}

std::string address(const Endpoint& endpoint, std::string_view model, std::string_view path) {
  if (endpoint.dialect == Dialect::kAzure) return azure_address(endpoint, model, path);
  return with_path(endpoint.base_url, path);
}

std::string models_address(const Endpoint& endpoint) {
  const std::string_view base = endpoint.base_url;
  if (endpoint.dialect == Dialect::kAzure) {
    const std::string api =
        is_azure_v1(endpoint) ? azure_v1(endpoint) : with_path(endpoint.base_url, "/openai");
    return with_version(api + "/models", endpoint);
  }
  // Cohere's list of models lies beside its compatible API, not in it.
  if (endpoint.dialect == Dialect::kCohere && base.ends_with(kCohereCompatible)) {
    return std::string(base.substr(0, base.size() - kCohereCompatible.size())) +
           "/v1/models?endpoint=chat";
  }
  return with_path(base, "/models");
}

std::vector<io::HttpHeader> credentials(const Endpoint& endpoint) {
  if (endpoint.key.empty()) return {};
  if (endpoint.dialect == Dialect::kAzure) return {{"api-key", endpoint.key}};
  return {{"authorization", "Bearer " + endpoint.key}};
}

}  // namespace clever::provider::openai
