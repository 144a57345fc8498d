#include "tool/mcp_tools.h"

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "base/utf8.h"
#include "tool/registry.h"

namespace clever::tool {
namespace {

char name_character(char c) { return check_tool_name(std::string_view(&c, 1)).ok() ? c : '_'; }

constexpr std::size_t kHash = 8;

std::string with_hash(std::string name, std::string_view whole) {
  name.resize(std::min(name.size(), ToolRegistry::kLongestName - kHash - 1));
  return name + "_" + base::sha256(whole).to_hex().substr(0, kHash);
}

ToolSpec spec_of(std::string name, const mcp::ServerTool& tool, const McpToolOptions& options) {
  ToolSpec spec{
      .name = std::move(name),
      .description = base::to_valid_utf8(tool.description.empty() ? tool.title : tool.description),
      .source = Source::kMcp,
      .timeout = options.timeout};
  // The server checks a schema that we cannot read: its tools stay usable.
  if (JsonSchema::compile(tool.input_schema).ok()) spec.input_schema = tool.input_schema;
  if (JsonSchema::compile(tool.output_schema).ok()) spec.output_schema = tool.output_schema;
  spec.capabilities = {.read_only = options.trust_hints && tool.read_only,
                       .checkpointable = false,
                       .side_effects = true,
                       .idempotent = options.trust_hints && tool.idempotent};
  return spec;
}

class McpTool final : public Tool {
 public:
  McpTool(ToolSpec spec, std::string remote_name, CallServerTool call)
      : spec_(std::move(spec)), remote_name_(std::move(remote_name)), call_(std::move(call)) {}

  [[nodiscard]] const ToolSpec& spec() const override { return spec_; }

  base::Result<ToolAnswer> call(const CallContext& context, std::string_view input) override {
    CLEVER_ASSIGN(mcp::ToolResult result,
                  call_(remote_name_, input, context.stop, context.deadline));
    ToolAnswer answer{.text = std::move(result.text), .failed = result.is_error};
    answer.structured = std::move(result.structured);
    if (answer.text.empty()) answer.text = answer.structured;
    return answer;
  }

 private:
  // Constant after construction.
  const ToolSpec spec_;
  const std::string remote_name_;
  const CallServerTool call_;
};

}  // namespace

std::string mcp_tool_name(std::string_view server, std::string_view tool) {
  const std::string whole =
      std::string(kMcpPrefix) + std::string(server) + "__" + std::string(tool);
  std::string name = whole;
  std::ranges::transform(name, name.begin(), name_character);
  return name.size() <= ToolRegistry::kLongestName ? name : with_hash(std::move(name), whole);
}

std::string_view former_mcp_name(std::string_view name) {
  return name.starts_with(kMcpPrefix) ? name.substr(kMcpPrefix.size()) : std::string_view();
}

std::vector<std::shared_ptr<Tool>> mcp_tools(std::string_view server,
                                             const std::vector<mcp::ServerTool>& tools,
                                             const CallServerTool& call,
                                             const McpToolOptions& options) {
  std::vector<std::shared_ptr<Tool>> made;
  std::set<std::string> names;
  for (const mcp::ServerTool& tool : tools) {
    std::string name = mcp_tool_name(server, tool.name);
    // "a.b" and "a_b" are two tools.
    if (names.contains(name)) name = with_hash(std::move(name), tool.name);
    if (!names.insert(name).second) continue;
    made.push_back(std::make_shared<McpTool>(spec_of(name, tool, options), tool.name, call));
  }
  return made;
}

}  // namespace clever::tool
