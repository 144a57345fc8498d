#include "provider/internal/wire_adapter.h"
#include "provider/internal/wire_request.h"
#include "provider/openai/dialect.h"
#include "provider/openai/responses.h"

namespace clever::provider::openai {
namespace {

class ResponsesAdapter final : public internal::WireAdapter {
 public:
  [[nodiscard]] io::HttpRequest encode(const Endpoint& endpoint, const std::string& model,
                                       const ModelRequest& request) const override {
    return internal::json_request(endpoint, address(endpoint, model, "/responses"),
                                  credentials(endpoint), encode_responses(model, request));
  }

  [[nodiscard]] std::unique_ptr<AnswerReader> reader(const Endpoint& endpoint,
                                                     const io::HttpHead& head,
                                                     bool /*stream*/) const override {
    return responses_reader(endpoint, head);
  }

  [[nodiscard]] io::HttpRequest list_models(const Endpoint& endpoint) const override {
    return internal::json_request(endpoint, models_address(endpoint), credentials(endpoint), {});
  }
};

}  // namespace

const Adapter& responses_adapter() {
  static const ResponsesAdapter adapter;
  return adapter;
}

}  // namespace clever::provider::openai
