#include "model/message.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using base::Result;
using internal::storable;
using nlohmann::json;

// ---- writing -----------------------------------------------------------------------------------

// Omits keys with empty values.
void put(json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = storable(value);
}

json message_json(const Text& text) { return {{"type", "text"}, {"text", storable(text.text)}}; }

json message_json(const Image& image) {
  return {{"type", "image"},
          {"media_type", storable(image.media_type)},
          {"data", base::to_base64(image.bytes)}};
}

json message_json(const Reasoning& reasoning) {
  json object = {{"type", "reasoning"}};
  put(object, "text", reasoning.text);
  put(object, "opaque", reasoning.opaque);
  put(object, "wire", reasoning.wire);
  return object;
}

json message_json(const ToolCall& call) {
  json object = {{"type", "tool_call"},
                 {"id", storable(call.id)},
                 {"name", storable(call.name)},
                 {"arguments", storable(call.arguments)}};
  put(object, "opaque", call.opaque);
  return object;
}

template <class... T>
json message_json(const std::variant<T...>& part) {
  return std::visit([](const auto& one) { return message_json(one); }, part);
}

json message_json(const ToolResult& result) {
  json object = {
      {"type", "tool_result"}, {"call", storable(result.call)}, {"content", json::array()}};
  for (const auto& part : result.content) object["content"].push_back(message_json(part));
  if (result.failed) object["failed"] = true;
  return object;
}

json message_json(const Message& message) {
  json object = {{"role", to_string(message.role)}, {"parts", json::array()}};
  for (const Part& part : message.parts) {
    object["parts"].push_back(std::visit([](const auto& one) { return message_json(one); }, part));
  }
  return object;
}

// ---- reading -----------------------------------------------------------------------------------

/// A value of the text, and where it stands.
struct Place {
  const json& value;
  std::string path;

  [[nodiscard]] base::Error wrong(std::string_view wanted) const {
    return base::invalid_argument(path + " must be " + std::string(wanted) + ", not " +
                                  value.type_name());
  }
  /// A missing key reads as null.
  [[nodiscard]] Place operator[](const char* key) const {
    static const json kNull;
    const auto found = value.find(key);
    return {found == value.end() ? kNull : *found, path + "." + key};
  }
};

Result<std::string> text_at(const Place& place) {
  if (!place.value.is_string()) return place.wrong("a string");
  return place.value.get<std::string>();
}

Result<std::string> text_or_empty(const Place& place) {
  if (place.value.is_null()) return std::string();
  return text_at(place);
}

Result<bool> flag_at(const Place& place) {
  if (place.value.is_null()) return false;
  if (!place.value.is_boolean()) return place.wrong("true or false");
  return place.value.get<bool>();
}

template <class T, class Read>
Result<std::vector<T>> list_at(const Place& place, Read read) {
  if (!place.value.is_array()) return place.wrong("an array");
  std::vector<T> list;
  for (std::size_t i = 0; i < place.value.size(); ++i) {
    const Place element{place.value[i], place.path + "[" + std::to_string(i) + "]"};
    if (!element.value.is_object()) return element.wrong("an object");
    CLEVER_ASSIGN(T one, read(element));
    list.push_back(std::move(one));
  }
  return list;
}

Result<Text> read_text(const Place& place) {
  CLEVER_ASSIGN(std::string text, text_at(place["text"]));
  return Text{std::move(text)};
}

Result<Image> read_image(const Place& place) {
  CLEVER_ASSIGN(std::string media_type, text_at(place["media_type"]));
  CLEVER_ASSIGN(const std::string data, text_at(place["data"]));
  CLEVER_ASSIGN(std::string bytes, base::from_base64(data).context(place.path + ".data"));
  return Image{std::move(media_type), std::move(bytes)};
}

Result<Reasoning> read_reasoning(const Place& place) {
  CLEVER_ASSIGN(std::string text, text_or_empty(place["text"]));
  CLEVER_ASSIGN(std::string opaque, text_or_empty(place["opaque"]));
  CLEVER_ASSIGN(std::string wire, text_or_empty(place["wire"]));
  return Reasoning{std::move(text), std::move(opaque), std::move(wire)};
}

Result<ToolCall> read_call(const Place& place) {
  CLEVER_ASSIGN(std::string id, text_at(place["id"]));
  CLEVER_ASSIGN(std::string name, text_at(place["name"]));
  CLEVER_ASSIGN(std::string arguments, text_at(place["arguments"]));
  CLEVER_ASSIGN(std::string opaque, text_or_empty(place["opaque"]));
  return ToolCall{std::move(id), std::move(name), std::move(arguments), std::move(opaque)};
}

using Content = std::variant<Text, Image>;

template <class As, class T>
Result<As> as(Result<T> part) {
  CLEVER_ASSIGN(T value, std::move(part));
  return As(std::move(value));
}

Result<Content> read_content(const Place& place) {
  CLEVER_ASSIGN(const std::string type, text_at(place["type"]));
  if (type == "text") return as<Content>(read_text(place));
  if (type == "image") return as<Content>(read_image(place));
  return base::invalid_argument(place.path + ".type is \"" + type +
                                "\"; a result holds \"text\" and \"image\"");
}

Result<ToolResult> read_result(const Place& place) {
  CLEVER_ASSIGN(std::string call, text_at(place["call"]));
  CLEVER_ASSIGN(auto content, list_at<Content>(place["content"], read_content));
  CLEVER_ASSIGN(const bool failed, flag_at(place["failed"]));
  return ToolResult{std::move(call), std::move(content), failed};
}

Result<Part> read_part(const Place& place) {
  CLEVER_ASSIGN(const std::string type, text_at(place["type"]));
  if (type == "text") return as<Part>(read_text(place));
  if (type == "image") return as<Part>(read_image(place));
  if (type == "reasoning") return as<Part>(read_reasoning(place));
  if (type == "tool_call") return as<Part>(read_call(place));
  if (type == "tool_result") return as<Part>(read_result(place));
  return base::invalid_argument(place.path + ".type is \"" + type +
                                "\"; it is one of text, image, reasoning, tool_call, tool_result");
}

Result<Message> read_message(const Place& place) {
  CLEVER_ASSIGN(const std::string role, text_at(place["role"]));
  if (role != "user" && role != "assistant") {
    return base::invalid_argument(place.path + ".role is \"" + role +
                                  "\"; it is \"user\" or \"assistant\"");
  }
  CLEVER_ASSIGN(auto parts, list_at<Part>(place["parts"], read_part));
  return Message{role == "user" ? Role::kUser : Role::kAssistant, std::move(parts)};
}

}  // namespace

std::string_view to_string(Role role) noexcept {
  return role == Role::kUser ? "user" : "assistant";
}

std::string to_json(const std::vector<Message>& messages) {
  json list = json::array();
  for (const Message& message : messages) list.push_back(message_json(message));
  return internal::to_text(list);
}

Result<std::vector<Message>> messages_from_json(std::string_view text) {
  const json list = json::parse(text, nullptr, false);
  if (list.is_discarded()) return base::invalid_argument("messages: not valid JSON");
  return list_at<Message>(Place{list, "messages"}, read_message);
}

}  // namespace clever::model
