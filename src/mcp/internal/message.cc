#include "mcp/internal/message.h"

#include <utility>

#include "base/utf8.h"

namespace clever::mcp::internal {
namespace {

// Counted before parsing, because the parsed value is walked recursively.
bool too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestMessage) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

base::Result<Json> parse(std::string_view text) {
  if (too_deep(text)) {
    return base::corruption("JSON nested more than " + std::to_string(kDeepestMessage) +
                            " levels deep");
  }
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) return base::corruption("not JSON: " + shown(text, 120));
  return value;
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

base::Error not_rpc(std::string_view what) {
  return base::corruption("not JSON-RPC: " + std::string(what));
}

base::Result<Message> read_call(Json& value) {
  Message message{.kind = Message::Kind::kNotification};
  message.method = value["method"].get<std::string>();
  if (value.contains("id")) {
    if (!is_id(value["id"]))
      return not_rpc("the id of a request is neither a string nor an integer");
    message.kind = Message::Kind::kRequest;
    message.id = std::move(value["id"]);
  }
  message.body = value.contains("params") ? std::move(value["params"]) : Json::object();
  if (!message.body.is_object()) return not_rpc("params is not an object");
  return message;
}

base::Result<Message> read_error(Json& value) {
  Message message{.kind = Message::Kind::kError};
  if (value.contains("id")) message.id = std::move(value["id"]);
  if (!message.id.is_null() && !is_id(message.id))
    return not_rpc("the id is neither a string nor an integer");
  Json& error = value["error"];
  if (!error.is_object() || !member(error, "code").is_number_integer()) {
    return not_rpc("an error without a code");
  }
  message.error = {.code = error["code"].get<std::int64_t>(),
                   .message = shown(text_of(member(error, "message")), 2000),
                   .data = member(error, "data")};
  return message;
}

base::Result<Message> read_result(Json& value) {
  if (!is_id(member(value, "id"))) return not_rpc("a result without an id");
  Message message{.kind = Message::Kind::kResult, .id = std::move(value["id"])};
  message.body = std::move(value["result"]);
  return message;
}

Json envelope() { return {{"jsonrpc", "2.0"}}; }

}  // namespace

std::optional<RequestNumber> Message::number() const {
  if (!id.is_number_integer()) return std::nullopt;
  if (id.is_number_unsigned() && id.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return id.get<RequestNumber>();
}

base::Result<Message> read_message(std::string_view text) {
  CLEVER_ASSIGN(Json value, parse(text));
  if (!value.is_object()) return not_rpc("not an object: " + shown(text, 120));
  if (member(value, "jsonrpc") != "2.0") return not_rpc("jsonrpc is not \"2.0\"");
  if (value.contains("method")) {
    if (!value["method"].is_string()) return not_rpc("method is not a string");
    return read_call(value);
  }
  const bool has_result = value.contains("result");
  if (has_result == value.contains("error")) {
    return not_rpc("neither a method nor exactly one of result and error");
  }
  return has_result ? read_result(value) : read_error(value);
}

base::Result<Json> read_object(std::string_view text, std::string_view what) {
  auto value = parse(text);
  if (!value.ok() || !value->is_object()) {
    return base::invalid_argument(std::string(what) + " must be a JSON object, not " +
                                  shown(text, 120));
  }
  return value;
}

std::string request_text(RequestNumber number, std::string_view method, const Json& params) {
  Json value = envelope();
  value["id"] = number;
  value["method"] = method;
  value["params"] = params;
  return value.dump();
}

std::string notification_text(std::string_view method, const Json& params) {
  Json value = envelope();
  value["method"] = method;
  if (!params.empty()) value["params"] = params;
  return value.dump();
}

std::string result_text(const Json& id, const Json& result) {
  Json value = envelope();
  value["id"] = id;
  value["result"] = result;
  return value.dump();
}

std::string error_text(const Json& id, std::int64_t code, std::string_view message) {
  Json value = envelope();
  value["id"] = id;
  value["error"] = {{"code", code}, {"message", message}};
  return value.dump();
}

const Json& member(const Json& object, std::string_view key) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool truth_of(const Json& value, bool otherwise) {
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

std::string shown(std::string_view text, std::size_t limit) {
  const std::string valid = base::to_valid_utf8(text.substr(0, limit + 4));
  const std::string_view kept = base::utf8_prefix(valid, limit);
  std::string line;
  for (std::size_t at = 0; at < kept.size();) {
    const base::CodePoint point = base::decode_utf8(kept, at);
    if (base::is_invisible_control(point.value)) {
      line.push_back(' ');
    } else {
      line.append(kept.substr(at, point.size));
    }
    at += point.size;
  }
  if (text.size() > limit) line += "…";
  return line;
}

}  // namespace clever::mcp::internal
