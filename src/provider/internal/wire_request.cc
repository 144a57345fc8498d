#include "provider/internal/wire_request.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "provider/internal/characters.h"
#include "provider/internal/json_view.h"

namespace clever::provider::internal {
namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_' ||
         c == '.' || c == '~';
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_letter, lower_letter);
}

void append_paragraph(std::string& text, std::string_view more) {
  if (!text.empty() && !more.empty()) text.append("\n\n");
  text.append(more);
}

// Takes a number of at most two digits off the beginning of the text; longer numbers are dates.
int take_short_number(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  int value = 0;
  if (size <= 2) std::from_chars(text.data(), text.data() + size, value);
  text.remove_prefix(size);
  return value;
}

}  // namespace

io::HttpRequest json_request(const Endpoint& endpoint, std::string url,
                             std::vector<io::HttpHeader> headers, std::string body) {
  io::HttpRequest request;
  request.method = body.empty() ? "GET" : "POST";
  request.url = std::move(url);
  request.deadlines = endpoint.deadlines;
  request.headers = endpoint.headers;
  if (!body.empty()) headers.push_back({"content-type", "application/json"});
  for (io::HttpHeader& header : headers) {
    const bool given = std::ranges::any_of(
        endpoint.headers, [&](const auto& own) { return same_name(own.name, header.name); });
    if (!given) request.headers.push_back(std::move(header));
  }
  request.body = std::move(body);
  return request;
}

std::string with_path(std::string_view base, std::string_view path) {
  while (base.ends_with('/')) base.remove_suffix(1);
  std::string url(base);
  if (!base.ends_with(path)) url.append(path);
  return url;
}

std::string percent_encoded(std::string_view text, bool keep_slash) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (is_unreserved(c) || (keep_slash && c == '/')) {
      encoded.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded.push_back('%');
    encoded.push_back(kHex[byte >> 4U]);
    encoded.push_back(kHex[byte & 15U]);
  }
  return encoded;
}

std::string parameters_schema(std::string_view schema) {
  JsonDocument document;
  document.parse(schema);
  const JsonView root = document.root();
  const JsonView type = root["type"];
  const JsonView properties = root["properties"];
  const bool wrong = (!type.raw().empty() && !type.is("object")) ||
                     (!properties.raw().empty() && !properties.is_object());
  if (!root.is_object() || wrong) return R"({"type":"object","properties":{}})";
  // OpenAI refuses the schema of an object without them.
  std::string missing;
  if (type.raw().empty()) missing += R"("type":"object",)";
  if (properties.raw().empty()) missing += R"("properties":{},)";
  if (!missing.empty() && root.begin() == root.end()) missing.pop_back();
  return base::to_valid_utf8(root.raw()).insert(1, missing);
}

std::string answer_schema(const ModelRequest& request) {
  if (!is_json_object(request.answer_schema)) return {};
  return base::to_valid_utf8(request.answer_schema);
}

std::vector<std::string> stop_texts(const ModelRequest& request, std::size_t most) {
  std::vector<std::string> texts;
  for (const std::string& text : request.stop) {
    const bool blank = text.find_first_not_of(" \t\r\n\v\f") == std::string::npos;
    if (!blank && texts.size() < most) texts.push_back(base::to_valid_utf8(text));
  }
  return texts;
}

std::string joined_text(const model::Message& message) {
  std::string text;
  for (const model::Part& part : message.parts) {
    if (const auto* words = std::get_if<model::Text>(&part)) append_paragraph(text, words->text);
  }
  return text;
}

std::string result_text(const model::ToolResult& result) {
  std::string text;
  for (const auto& part : result.content) {
    if (const auto* words = std::get_if<model::Text>(&part)) append_paragraph(text, words->text);
  }
  if (text.empty()) text = "(an image)";
  return result.failed ? "Error: " + text : text;
}

std::vector<const model::Image*> images_of(const model::ToolResult& result) {
  std::vector<const model::Image*> images;
  for (const auto& part : result.content) {
    if (const auto* image = std::get_if<model::Image>(&part)) images.push_back(image);
  }
  return images;
}

ModelVersion version_of(std::string_view model) {
  while (!model.empty()) {
    const std::size_t dash = model.find('-');
    if (dash == std::string_view::npos) return {};
    model.remove_prefix(dash + 1);
    if (model.empty() || !is_digit(model.front())) continue;
    ModelVersion version;
    version.major = take_short_number(model);
    if (version.major == 0) continue;
    if (model.size() > 1 && (model[0] == '-' || model[0] == '.') && is_digit(model[1])) {
      model.remove_prefix(1);
      version.minor = take_short_number(model);
    }
    return version;
  }
  return {};
}

}  // namespace clever::provider::internal
