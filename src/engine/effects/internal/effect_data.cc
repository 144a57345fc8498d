#include "engine/effects/internal/effect_data.h"

#include <nlohmann/json.hpp>

namespace clever::engine::internal {
namespace {

using nlohmann::json;

base::Error wrong(std::string_view key, std::string_view what) {
  return base::corruption("the effect's data has no '" + std::string(key) + "' that is " +
                          std::string(what));
}

// Returns null if the key is missing.
json data_value(std::string_view data, std::string_view key) {
  const json object = json::parse(data, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return nullptr;
  const auto value = object.find(std::string(key));
  return value == object.end() ? json() : *value;
}

}  // namespace

base::Result<std::string> text_in(std::string_view data, std::string_view key) {
  json value = data_value(data, key);
  if (!value.is_string()) return wrong(key, "a text");
  return value.get_ref<std::string&>();
}

std::int64_t number_in(std::string_view data, std::string_view key) {
  const json value = data_value(data, key);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

base::Result<std::vector<std::string>> texts_in(std::string_view data, std::string_view key) {
  const json values = data_value(data, key);
  if (!values.is_array()) return wrong(key, "a list of texts");
  std::vector<std::string> texts;
  for (const json& value : values) {
    if (!value.is_string()) return wrong(key, "a list of texts");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

std::vector<std::string> refusals_in(std::string_view data) {
  const json calls = data_value(data, "calls");
  std::vector<std::string> refusals;
  if (!calls.is_array()) return refusals;
  for (const json& call : calls) {
    const auto refused = call.is_object() ? call.find("refused") : call.end();
    const bool is_text = refused != call.end() && refused->is_string();
    refusals.push_back(is_text ? refused->get<std::string>() : std::string());
  }
  return refusals;
}

}  // namespace clever::engine::internal
