#include "tool/registry.h"

#include <algorithm>

#include "base/nearest.h"
#include "tool/internal/filled.h"

namespace clever::tool {
namespace {

using Registered = std::shared_ptr<const RegisteredTool>;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

base::Result<Registered> prepare(std::string_view origin, const std::shared_ptr<Tool>& tool) {
  const ToolSpec& spec = tool->spec();
  CLEVER_TRY(check_tool_name(spec.name));
  auto prepared = std::make_shared<RegisteredTool>();
  prepared->tool = tool;
  prepared->origin = origin;
  const std::string doing = "the input schema of the tool \"" + spec.name + "\"";
  CLEVER_ASSIGN(prepared->input, JsonSchema::compile(spec.input_schema).context(doing));
  if (!spec.output_schema.empty()) {
    CLEVER_ASSIGN(prepared->output,
                  JsonSchema::compile(spec.output_schema)
                      .context("the output schema of the tool \"" + spec.name + "\""));
  }
  return Registered(std::move(prepared));
}

base::Error taken(std::string_view origin, const RegisteredTool& other) {
  const std::string& name = other.tool->spec().name;
  if (other.origin == origin) {
    return base::already_exists(filled(
        "{} has two tools named \"{}\"; names are unique: rename one of them", origin, name));
  }
  return base::already_exists(
      filled("the tool \"{}\" of {} has the name of a tool of {}; rename one of them", name, origin,
             other.origin));
}

base::Result<std::shared_ptr<const ToolSnapshot>> merged(const ToolSnapshot& before,
                                                         std::string_view origin,
                                                         const std::vector<Registered>& added) {
  ToolSnapshot::Tools tools = before.tools();
  std::erase_if(tools, [&](const auto& entry) { return entry.second->origin == origin; });
  for (const Registered& tool : added) {
    const auto [place, is_new] = tools.emplace(tool->tool->spec().name, tool);
    if (!is_new) return taken(origin, *place->second);
  }
  return std::make_shared<const ToolSnapshot>(std::move(tools));
}

}  // namespace

base::Result<void> check_tool_name(std::string_view name) {
  const bool fits = !name.empty() && name.size() <= ToolRegistry::kLongestName &&
                    std::ranges::all_of(name, is_name_character);
  if (fits) return {};
  return base::invalid_argument(
      filled("\"{}\" is not a valid tool name: use 1 to {} letters, digits, '_' or '-'",
             name.substr(0, 2 * ToolRegistry::kLongestName), ToolRegistry::kLongestName));
}

base::Result<Registered> ToolSnapshot::find(std::string_view name) const {
  if (const auto found = tools_.find(name); found != tools_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : tools_) names.push_back(entry.first);
  const std::string missing = filled("there is no tool \"{}\"", name.substr(0, 100));
  if (const auto nearest = base::nearest_match(name, names)) {
    return base::not_found(missing + "; did you mean \"" + *nearest + "\"?");
  }
  return base::not_found(missing + (names.empty() ? "" : "; there are: " + comma_list(names)));
}

std::vector<ToolSpec> ToolSnapshot::specs() const {
  std::vector<ToolSpec> specs;
  for (const auto& entry : tools_) specs.push_back(entry.second->tool->spec());
  return specs;
}

ToolRegistry::ToolRegistry() : current_(std::in_place, std::make_shared<const ToolSnapshot>()) {}

base::Result<void> ToolRegistry::set(std::string_view origin,
                                     const std::vector<std::shared_ptr<Tool>>& tools) {
  std::vector<Registered> added;
  for (const auto& tool : tools) {
    CLEVER_ASSIGN(Registered prepared, prepare(origin, tool));
    added.push_back(std::move(prepared));
  }
  return current_.with([&](std::shared_ptr<const ToolSnapshot>& current) -> base::Result<void> {
    CLEVER_ASSIGN(current, merged(*current, origin, added));
    return {};
  });
}

void ToolRegistry::remove(std::string_view origin) { set(origin, {}).value(); }

std::shared_ptr<const ToolSnapshot> ToolRegistry::snapshot() const {
  return current_.with([](const auto& current) { return current; });
}

}  // namespace clever::tool
