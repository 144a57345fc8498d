#include "provider/internal/wire_adapter.h"
#include "provider/internal/wire_request.h"
#include "provider/ollama/chat.h"

namespace clever::provider::ollama {
namespace {

std::vector<io::HttpHeader> headers(const Endpoint& endpoint) {
  if (endpoint.key.empty()) return {};
  return {{"authorization", "Bearer " + endpoint.key}};
}

// Accepts an address that ends in "/v1", from the OpenAI-compatible API.
std::string address(const Endpoint& endpoint, std::string_view path) {
  std::string_view base = endpoint.base_url;
  if (base.ends_with("/v1")) base.remove_suffix(3);
  return internal::with_path(base, "/api") + std::string(path);
}

class OllamaAdapter final : public internal::WireAdapter {
 public:
  [[nodiscard]] io::HttpRequest encode(const Endpoint& endpoint, const std::string& model,
                                       const ModelRequest& request) const override {
    return internal::json_request(endpoint, address(endpoint, "/chat"), headers(endpoint),
                                  encode_chat(model, request));
  }

  [[nodiscard]] std::unique_ptr<AnswerReader> reader(const Endpoint& endpoint,
                                                     const io::HttpHead& head,
                                                     bool /*stream*/) const override {
    return chat_reader(endpoint, head);
  }

  [[nodiscard]] io::HttpRequest list_models(const Endpoint& endpoint) const override {
    return internal::json_request(endpoint, address(endpoint, "/tags"), headers(endpoint), {});
  }
};

}  // namespace

const Adapter& chat_adapter() {
  static const OllamaAdapter adapter;
  return adapter;
}

}  // namespace clever::provider::ollama
