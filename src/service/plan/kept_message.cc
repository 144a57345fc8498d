#include "service/plan/kept_message.h"

#include "storage/bodies.h"

namespace clever::service {

base::Result<model::Message> kept_message(storage::Engine& engine, const base::Sha256Digest& body,
                                          const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::string content, storage::Bodies(engine).content(body, stop));
  CLEVER_ASSIGN(auto messages, model::messages_from_json(content));
  if (messages.size() == 1) return std::move(messages.front());
  return base::corruption("the body " + body.to_hex() + " is no message");
}

std::string text_of(const model::Message& message) {
  std::string text;
  for (const model::Part& part : message.parts) {
    const auto* one = std::get_if<model::Text>(&part);
    if (one == nullptr || one->text.empty()) continue;
    text += (text.empty() ? "" : "\n") + one->text;
  }
  return text;
}

}  // namespace clever::service
