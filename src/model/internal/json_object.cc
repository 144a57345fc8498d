#include "model/internal/json_object.h"

#include <limits>

#include "base/base64.h"
#include "base/utf8.h"

namespace clever::model::internal {
namespace {

using nlohmann::json;

bool is_integer(const json& value) {
  if (!value.is_number_integer()) return false;
  return !value.is_number_unsigned() ||
         value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
}

// Accepts what databases store as text.
bool is_text(const json& value) {
  return value.is_string() && value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

}  // namespace

std::string to_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string storable(std::string text) {
  if (!base::is_utf8(text)) text = base::to_valid_utf8(text);
  for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) {
    text.replace(at, 1, "\xEF\xBF\xBD");
  }
  return text;
}

void put_text(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = storable(text);
}

void put_texts(json& object, const char* key, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) object[key].push_back(storable(text));
}

void put_bytes(json& object, const char* key, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    const bool is_text = base::is_utf8(value) && value.find('\0') == std::string::npos;
    object[key].push_back(is_text ? json(value) : json{{"base64", base::to_base64(value)}});
  }
}

base::Result<JsonObject> JsonObject::parse(std::string_view text, std::string place) {
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) return base::invalid_argument(place + ": the data is not JSON");
  if (!value.is_object()) {
    return base::invalid_argument(place + ": the data must be an object, not " + value.type_name());
  }
  return JsonObject(std::move(value), std::move(place));
}

const json* JsonObject::find(std::string_view key) const {
  const auto found = value_.find(key);
  return found == value_.end() || found->is_null() ? nullptr : &*found;
}

base::Error JsonObject::wrong(std::string_view key, std::string_view wanted) const {
  const json* value = find(key);
  return base::invalid_argument(
      place_ + ": \"" + std::string(key) + "\" must be " + std::string(wanted) +
      (value == nullptr ? ", and is missing" : std::string(", not ") + value->type_name()));
}

base::Result<std::string> JsonObject::text(std::string_view key) const {
  const json* value = find(key);
  if (value == nullptr || !is_text(*value)) return wrong(key, "a string without NUL");
  return value->get<std::string>();
}

base::Result<std::string> JsonObject::text_or(std::string_view key, std::string fallback) const {
  if (!has(key)) return fallback;
  return text(key);
}

base::Result<std::int64_t> JsonObject::integer(std::string_view key) const {
  const json* value = find(key);
  if (value == nullptr || !is_integer(*value)) return wrong(key, "a whole number of 64 bits");
  return value->get<std::int64_t>();
}

base::Result<std::int64_t> JsonObject::integer_or(std::string_view key,
                                                  std::int64_t fallback) const {
  if (!has(key)) return fallback;
  return integer(key);
}

base::Result<bool> JsonObject::flag_or(std::string_view key, bool fallback) const {
  const json* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) return wrong(key, "true or false");
  return value->get<bool>();
}

base::Result<base::Sha256Digest> JsonObject::digest(std::string_view key) const {
  CLEVER_ASSIGN(const std::string written, text(key));
  return read(key, base::Sha256Digest::from_hex(written));
}

base::Result<std::vector<std::string>> JsonObject::byte_strings(std::string_view key) const {
  const json* value = find(key);
  std::vector<std::string> result;
  if (value == nullptr) return result;
  const base::Error misfit = wrong(key, "an array of strings or of {\"base64\":…}");
  if (!value->is_array()) return misfit;
  for (const json& element : *value) {
    const bool encoded = element.is_object() && element.contains("base64");
    const json& written = encoded ? element.at("base64") : element;
    if (!is_text(written)) return misfit;
    std::string bytes = written.get<std::string>();
    if (encoded) {
      CLEVER_ASSIGN(bytes, read(key, base::from_base64(bytes)));
    }
    result.push_back(std::move(bytes));
  }
  return result;
}

base::Result<std::map<std::string, std::string>> JsonObject::dictionary(
    std::string_view key) const {
  const json* value = find(key);
  std::map<std::string, std::string> result;
  if (value == nullptr) return result;
  if (!value->is_object()) return wrong(key, "an object of strings");
  for (const auto& [name, element] : value->items()) {
    if (!is_text(element)) return wrong(key, "an object of strings without NUL");
    result.emplace(name, element.get<std::string>());
  }
  return result;
}

base::Result<std::optional<double>> JsonObject::real(std::string_view key) const {
  const json* value = find(key);
  if (value == nullptr) return std::optional<double>();
  if (!value->is_number()) return wrong(key, "a number");
  return std::optional(value->get<double>());
}

base::Result<std::vector<std::string>> JsonObject::texts(std::string_view key) const {
  const json* value = find(key);
  std::vector<std::string> result;
  if (value == nullptr) return result;
  if (!value->is_array()) return wrong(key, "an array of strings");
  for (const json& element : *value) {
    if (!is_text(element)) return wrong(key, "an array of strings without NUL");
    result.push_back(element.get<std::string>());
  }
  return result;
}

base::Result<std::optional<JsonObject>> JsonObject::object(std::string_view key) const {
  const json* value = find(key);
  if (value == nullptr) return std::optional<JsonObject>();
  if (!value->is_object()) return wrong(key, "an object");
  return std::optional(JsonObject(*value, place_ + ": \"" + std::string(key) + "\""));
}

base::Result<std::vector<JsonObject>> JsonObject::objects(std::string_view key) const {
  const json* value = find(key);
  std::vector<JsonObject> result;
  if (value == nullptr) return result;
  if (!value->is_array()) return wrong(key, "an array of objects");
  for (const json& element : *value) {
    if (!element.is_object()) return wrong(key, "an array of objects");
    const std::string number = std::to_string(result.size());
    result.push_back(
        JsonObject(element, place_ + ": \"" + std::string(key) + "\"[" + number + "]"));
  }
  return result;
}

std::string JsonObject::json_text(std::string_view key) const {
  const auto* value = find(key);
  return value == nullptr ? "null" : to_text(*value);
}

}  // namespace clever::model::internal
