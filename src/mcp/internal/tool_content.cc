#include "mcp/internal/tool_content.h"

#include <string>

namespace clever::mcp::internal {
namespace {

std::string size_of(const Json& base64) {
  const std::size_t bytes = text_of(base64).size() / 4 * 3;
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  return std::to_string((bytes + 1023) / 1024) + " KiB";
}

std::string named(std::string_view what, std::string_view detail) {
  std::string text = "[" + std::string(what);
  if (!detail.empty()) text.append(" ").append(shown(detail, 300));
  return text;
}

std::string resource_text(const Json& resource) {
  const std::string uri = text_of(member(resource, "uri"));
  const Json& text = member(resource, "text");
  if (text.is_string()) return named("resource", uri) + "]\n" + text.get<std::string>();
  std::string line = named("resource", uri);
  const std::string type = text_of(member(resource, "mimeType"));
  if (!type.empty()) line += ", " + shown(type, 100);
  return line + ", " + size_of(member(resource, "blob")) + "]";
}

std::string link_text(const Json& link) {
  std::string line = named("link", text_of(member(link, "uri")));
  const std::string name = text_of(member(link, "name"));
  const std::string description = text_of(member(link, "description"));
  if (!name.empty()) line += " " + shown(name, 200);
  if (!description.empty()) line += ": " + shown(description, 500);
  return line + "]";
}

std::string item_text(const Json& item) {
  const std::string type = text_of(member(item, "type"));
  if (type == "text") return text_of(member(item, "text"));
  if (type == "image" || type == "audio") {
    return named(type, text_of(member(item, "mimeType"))) + ", " + size_of(member(item, "data")) +
           "]";
  }
  if (type == "resource") return resource_text(member(item, "resource"));
  if (type == "resource_link") return link_text(item);
  return named("content of the unknown type", type) + "]";
}

}  // namespace

base::Result<ToolResult> read_tool_result(const Json& result) {
  const Json& content = member(result, "content");
  const bool structured = result.contains("structuredContent");
  if (!content.is_array() && !structured) {
    return base::corruption("the answer of the tool has no content");
  }
  ToolResult read{.text = {}, .is_error = truth_of(member(result, "isError"), false)};
  if (structured) read.structured = result["structuredContent"].dump();
  if (content.is_array()) {
    for (const Json& item : content) {
      if (!read.text.empty() && !read.text.ends_with('\n')) read.text += '\n';
      read.text += item_text(item);
    }
  }
  if (read.text.empty()) read.text = read.structured;
  return read;
}

}  // namespace clever::mcp::internal
