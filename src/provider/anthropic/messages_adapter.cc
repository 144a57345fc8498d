#include "provider/anthropic/messages.h"
#include "provider/internal/wire_adapter.h"
#include "provider/internal/wire_request.h"

namespace clever::provider::anthropic {
namespace {

constexpr std::string_view kVersion = "2023-06-01";

std::vector<io::HttpHeader> headers(const Endpoint& endpoint) {
  std::vector<io::HttpHeader> headers = {{"anthropic-version", std::string(kVersion)}};
  if (!endpoint.key.empty()) headers.push_back({"x-api-key", endpoint.key});
  return headers;
}

std::string address(const Endpoint& endpoint, std::string_view path) {
  return internal::with_path(endpoint.base_url, "/v1") + std::string(path);
}

class MessagesAdapter final : public internal::WireAdapter {
 public:
  [[nodiscard]] io::HttpRequest encode(const Endpoint& endpoint, const std::string& model,
                                       const ModelRequest& request) const override {
    return internal::json_request(endpoint, address(endpoint, "/messages"), headers(endpoint),
                                  encode_messages(model, request));
  }

  [[nodiscard]] std::unique_ptr<AnswerReader> reader(const Endpoint& endpoint,
                                                     const io::HttpHead& head,
                                                     bool /*stream*/) const override {
    return messages_reader(endpoint, head);
  }

  [[nodiscard]] io::HttpRequest list_models(const Endpoint& endpoint) const override {
    return internal::json_request(endpoint, address(endpoint, "/models?limit=1000"),
                                  headers(endpoint), {});
  }
};

}  // namespace

const Adapter& messages_adapter() {
  static const MessagesAdapter adapter;
  return adapter;
}

}  // namespace clever::provider::anthropic
