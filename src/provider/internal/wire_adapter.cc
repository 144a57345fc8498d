#include "provider/internal/wire_adapter.h"

#include "base/redact.h"
#include "base/utf8.h"
#include "provider/internal/json_view.h"
#include "provider/internal/wire_failure.h"
#include "provider/internal/wire_rates.h"

namespace clever::provider::internal {
namespace {

// Google lists "models/gemini-2.5-pro" and is asked for "gemini-2.5-pro".
std::string model_name(JsonView entry) {
  for (const std::string_view key : {"id", "name", "model"}) {
    std::string name = entry[key].text();
    if (name.starts_with("models/")) name.erase(0, 7);
    if (!name.empty()) return name;
  }
  return {};
}

}  // namespace

Failure WireAdapter::failure(const Endpoint& endpoint, const std::string& model,
                             const io::HttpHead& head, std::string_view body) const {
  return failure_of_answer(endpoint, model, head, body);
}

RateObservation WireAdapter::rates(const io::HttpHead& head) const { return read_rates(head); }

base::Result<std::vector<std::string>> WireAdapter::read_models(std::string_view body) const {
  JsonDocument document;
  document.parse(body);
  const JsonView root = document.root();
  JsonView list = root;
  if (root["data"].is_array()) list = root["data"];
  if (root["models"].is_array()) list = root["models"];
  if (!list.is_array()) {
    return base::invalid_argument("expected a list of models in JSON, not: " +
                                  base::redact(base::utf8_prefix(body, 200)));
  }
  std::vector<std::string> names;
  for (const JsonView entry : list) {
    if (std::string name = model_name(entry); !name.empty()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace clever::provider::internal
