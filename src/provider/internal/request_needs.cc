#include "provider/internal/request_needs.h"

#include <algorithm>

namespace clever::provider {
namespace {

constexpr std::int64_t kBytesPerToken = 4;
constexpr std::size_t kBytesOfImage = 6000;

template <class T>
bool is(const auto& part) {
  return std::holds_alternative<T>(part);
}

std::size_t size_of(const model::Text& text) { return text.text.size(); }
std::size_t size_of(const model::Image&) { return kBytesOfImage; }
std::size_t size_of(const model::Reasoning& part) { return part.text.size() + part.opaque.size(); }
std::size_t size_of(const model::ToolCall& call) {
  return call.name.size() + call.arguments.size() + call.opaque.size();
}
std::size_t size_of(const model::ToolResult& result) {
  std::size_t size = 0;
  for (const auto& part : result.content) {
    size += std::visit([](const auto& each) { return size_of(each); }, part);
  }
  return size;
}

bool shows_image(const Conversation::Item& item) {
  return item.shared() == nullptr ? has_image(item.message()) : item.shared()->has_image();
}
std::size_t size_of(const Conversation::Item& item) {
  return item.shared() == nullptr ? bytes_of(item.message()) : item.shared()->bytes();
}

}  // namespace

bool has_image(const model::Message& message) {
  return std::ranges::any_of(message.parts, [](const model::Part& part) {
    if (is<model::Image>(part)) return true;
    const auto* result = std::get_if<model::ToolResult>(&part);
    return result != nullptr && std::ranges::any_of(result->content, [](const auto& each) {
             return is<model::Image>(each);
           });
  });
}

std::size_t bytes_of(const model::Message& message) {
  std::size_t bytes = 0;
  for (const model::Part& part : message.parts) {
    bytes += std::visit([](const auto& each) { return size_of(each); }, part);
  }
  return bytes;
}

Capabilities needed_capabilities(const ModelRequest& request) {
  return {.tools = !request.tools.empty(),
          .images = std::ranges::any_of(request.messages.items(), shows_image),
          .reasoning = false,
          .json_schema = !request.answer_schema.empty()};
}

TokenCount estimated_tokens(const ModelRequest& request) {
  std::size_t bytes = request.system.size() + request.answer_schema.size();
  for (const ToolSpec& tool : request.tools) {
    bytes += tool.name.size() + tool.description.size() + tool.parameters.size();
  }
  for (const Conversation::Item& item : request.messages.items()) bytes += size_of(item);
  return {static_cast<std::int64_t>(bytes) / kBytesPerToken + 1, request.max_output_tokens};
}

std::string missing_text(const Capabilities& there, const Capabilities& needed) {
  std::string text;
  const auto name = [&](bool lacks, const char* what) {
    if (lacks) text.append(text.empty() ? "" : " and ").append(what);
  };
  name(needed.tools && !there.tools, "tools");
  name(needed.images && !there.images, "images");
  name(needed.json_schema && !there.json_schema, "answers by a schema");
  return text;
}

}  // namespace clever::provider
