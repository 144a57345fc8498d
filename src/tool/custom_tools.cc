#include "tool/custom_tools.h"

#include <algorithm>
#include <set>

#include "model/yaml.h"
#include "tool/internal/command_text.h"
#include "tool/internal/custom_tool_reader.h"
#include "tool/internal/filled.h"
#include "tool/internal/json_text.h"
#include "tool/json_schema.h"
#include "tool/output_text.h"

namespace clever::tool {
namespace {

using model::yaml_error;
using model::YamlValue;
using YamlKind = YamlValue::Kind;

// Returns the mappings, one per tool.
base::Result<std::vector<YamlValue>> tools_of(YamlValue document, const std::string& file) {
  if (!document.is(YamlKind::kMapping)) {
    return yaml_error(file, document.line,
                      filled("the file holds {}, but must hold a tool (name, "
                             "description, input_schema, command) or a list of them "
                             "under \"tools\"",
                             describe(document)));
  }
  const auto list = std::ranges::find_if(
      document.members, [](const auto& member) { return member.first.text == "tools"; });
  if (list == document.members.end()) return std::vector{std::move(document)};
  if (document.members.size() > 1) {
    const YamlValue& other = document.members[list == document.members.begin() ? 1 : 0].first;
    return yaml_error(
        file, other.line,
        filled("{} stands beside \"tools\": put it into a tool of that list", describe(other)));
  }
  if (!list->second.is(YamlKind::kList) || list->second.items.empty()) {
    return yaml_error(file, list->first.line, "\"tools\" must be a list of tools");
  }
  return std::move(list->second.items);
}

class CommandTool final : public Tool {
 public:
  CommandTool(CustomTool definition, std::shared_ptr<CommandWorld> commands)
      : definition_(std::move(definition)), commands_(std::move(commands)) {}

  [[nodiscard]] const ToolSpec& spec() const override { return definition_.spec; }

  base::Result<ToolAnswer> call(const CallContext& context, std::string_view input) override {
    if (context.workspace == nullptr) {
      return base::invalid_argument(spec().name + " needs a workspace, but this call has none");
    }
    CLEVER_ASSIGN(const CommandReport report,
                  commands_->run(*context.workspace,
                                 {.argv = definition_.argv,
                                  .standard_input = std::string(input) + "\n",
                                  .timeout = spec().timeout,
                                  .chosen_by_person = true},
                                 context.stop, context.deadline));
    const bool succeeded = report.output && report.output->ending.exit_code == 0;
    if (!succeeded)
      return internal::describe_command(report, context.output_limit, context.secrets);
    return answer_of(report);
  }

 private:
  // Standard error is for debugging, so the model gets it only after a failure.
  ToolAnswer answer_of(const CommandReport& report) const {
    ToolAnswer answer{.text = report.output->output, .truncated = report.output->truncated};
    const auto json =
        internal::parse_json(answer.text, {JsonSchema::kLargestInput, JsonSchema::kDeepest});
    if (json.ok()) {
      answer.structured = internal::to_text(*json);
    } else if (!spec().output_schema.empty()) {
      answer.failed = true;
      answer.text = filled("{} must print JSON, but its output is {}\n{}", spec().name,
                           json.error().message(), answer.text);
    }
    if (answer.text.empty()) answer.text = "done, without output\n";
    return answer;
  }

  // Constant after construction.
  const CustomTool definition_;
  const std::shared_ptr<CommandWorld> commands_;
};

}  // namespace

base::Result<std::vector<CustomTool>> parse_custom_tools(std::string_view text,
                                                         const std::string& file) {
  CLEVER_ASSIGN(YamlValue document, model::read_yaml(text, file));
  CLEVER_ASSIGN(const std::vector<YamlValue> mappings, tools_of(std::move(document), file));
  std::vector<CustomTool> tools;
  std::set<std::string> names;
  for (const YamlValue& mapping : mappings) {
    CLEVER_ASSIGN(CustomTool tool, internal::read_custom_tool(mapping, file));
    if (!names.insert(tool.spec.name).second) {
      return yaml_error(file, mapping.line,
                        filled("a tool \"{}\" exists already; rename one of them", tool.spec.name));
    }
    tools.push_back(std::move(tool));
  }
  return tools;
}

std::shared_ptr<Tool> make_custom_tool(CustomTool definition,
                                       std::shared_ptr<CommandWorld> commands) {
  return std::make_shared<CommandTool>(std::move(definition), std::move(commands));
}

}  // namespace clever::tool
