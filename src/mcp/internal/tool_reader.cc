#include "mcp/internal/tool_reader.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace clever::mcp::internal {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./").contains(c);
}

base::Result<std::string> read_name(const Json& tool) {
  const std::string name = text_of(member(tool, "name"));
  if (name.empty() || name.size() > kLongestToolName ||
      !std::ranges::all_of(name, is_name_character)) {
    return base::invalid_argument(
        "its name is not 1 to 128 letters, digits, and any of _ - . and /");
  }
  return name;
}

base::Result<std::string> read_schema(const Json& schema, std::string_view what) {
  if (!schema.is_object()) return base::invalid_argument(std::string(what) + " is not an object");
  std::string text = schema.dump();
  if (text.size() > kLongestSchema) {
    return base::invalid_argument(std::string(what) + " is longer than " +
                                  std::to_string(kLongestSchema) + " bytes");
  }
  return text;
}

std::string read_description(const Json& tool) {
  std::string text = text_of(member(tool, "description"));
  if (text.size() <= kLongestDescription) return text;
  return std::string(base::utf8_prefix(text, kLongestDescription)) + "… (cut)";
}

base::Result<ServerTool> read_tool(const Json& tool) {
  ServerTool read;
  CLEVER_ASSIGN(read.name, read_name(tool));
  CLEVER_ASSIGN(read.input_schema, read_schema(member(tool, "inputSchema"), "its inputSchema"));
  if (const Json& output = member(tool, "outputSchema"); !output.is_null()) {
    CLEVER_ASSIGN(read.output_schema, read_schema(output, "its outputSchema"));
  }
  const Json& hints = member(tool, "annotations");
  read.title = text_of(member(tool, "title"));
  if (read.title.empty()) read.title = text_of(member(hints, "title"));
  read.title = shown(read.title, 200);
  read.description = read_description(tool);
  read.read_only = truth_of(member(hints, "readOnlyHint"), false);
  read.idempotent = truth_of(member(hints, "idempotentHint"), false);
  read.destructive = !read.read_only && truth_of(member(hints, "destructiveHint"), true);
  return read;
}

base::Result<void> add(const Json& tool, bool with_headers, ToolList& list) {
  CLEVER_ASSIGN(ServerTool read, read_tool(tool));
  if (std::ranges::find(list.tools, read.name, &ServerTool::name) != list.tools.end()) {
    return base::invalid_argument("another tool has that name");
  }
  if (with_headers) {
    CLEVER_ASSIGN(auto headers, parameter_headers(member(tool, "inputSchema")));
    if (!headers.empty()) list.headers[read.name] = std::move(headers);
  }
  list.tools.push_back(std::move(read));
  return {};
}

}  // namespace

base::Result<void> read_tools(const Json& page, bool with_headers, ToolList& list) {
  const Json& tools = member(page, "tools");
  if (!tools.is_array()) return base::corruption("its list of tools is not an array");
  for (const Json& tool : tools) {
    if (list.tools.size() + list.remarks.size() >= kMostTools) {
      return base::resource_exhausted("it offers more than " + std::to_string(kMostTools) +
                                      " tools");
    }
    if (auto added = add(tool, with_headers, list); !added.ok()) {
      list.remarks.push_back("its tool \"" + shown(text_of(member(tool, "name")), 60) +
                             "\" is left out: " + added.error().message());
    }
  }
  return {};
}

}  // namespace clever::mcp::internal
