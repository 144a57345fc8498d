#include "provider/internal/wire_adapter.h"
#include "provider/internal/wire_request.h"
#include "provider/openai/chat.h"
#include "provider/openai/dialect.h"

namespace clever::provider::openai {
namespace {

class ChatAdapter final : public internal::WireAdapter {
 public:
  [[nodiscard]] io::HttpRequest encode(const Endpoint& endpoint, const std::string& model,
                                       const ModelRequest& request) const override {
    return internal::json_request(endpoint, address(endpoint, model, "/chat/completions"),
                                  credentials(endpoint), encode_chat(endpoint, model, request));
  }

  [[nodiscard]] std::unique_ptr<AnswerReader> reader(const Endpoint& endpoint,
                                                     const io::HttpHead& head,
                                                     bool /*stream*/) const override {
    return chat_reader(endpoint, head);
  }

  [[nodiscard]] io::HttpRequest list_models(const Endpoint& endpoint) const override {
    return internal::json_request(endpoint, models_address(endpoint), credentials(endpoint), {});
  }
};

}  // namespace

const Adapter& chat_adapter() {
  static const ChatAdapter adapter;
  return adapter;
}

}  // namespace clever::provider::openai
