#include "provider/google/gemini.h"
#include "provider/internal/wire_adapter.h"
#include "provider/internal/wire_request.h"

namespace clever::provider::google {
namespace {

// The key goes into a header, because addresses are written to logs.
std::vector<io::HttpHeader> headers(const Endpoint& endpoint) {
  if (endpoint.key.empty()) return {};
  return {{"x-goog-api-key", endpoint.key}};
}

std::string base_of(const Endpoint& endpoint) {
  if (endpoint.base_url.ends_with("/v1")) return endpoint.base_url;
  return internal::with_path(endpoint.base_url, "/v1beta");
}

class GeminiAdapter final : public internal::WireAdapter {
 public:
  [[nodiscard]] io::HttpRequest encode(const Endpoint& endpoint, const std::string& model,
                                       const ModelRequest& request) const override {
    const bool tuned = model.starts_with("models/") || model.starts_with("tunedModels/");
    const std::string url =
        base_of(endpoint) + (tuned ? "/" : "/models/") + internal::percent_encoded(model, true) +
        (request.stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
    return internal::json_request(endpoint, url, headers(endpoint), encode_gemini(model, request));
  }

  [[nodiscard]] std::unique_ptr<AnswerReader> reader(const Endpoint& endpoint,
                                                     const io::HttpHead& head,
                                                     bool /*stream*/) const override {
    return gemini_reader(endpoint, head);
  }

  [[nodiscard]] io::HttpRequest list_models(const Endpoint& endpoint) const override {
    return internal::json_request(endpoint, base_of(endpoint) + "/models?pageSize=1000",
                                  headers(endpoint), {});
  }
};

}  // namespace

const Adapter& gemini_adapter() {
  static const GeminiAdapter adapter;
  return adapter;
}

}  // namespace clever::provider::google
