#include <algorithm>

#include "base/nearest.h"
#include "engine/offer/offer.h"
#include "model/document_yaml.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/definitions/definitions.h"
#include "service/plan/trusted_commands.h"
#include "tool/builtin_tools.h"
#include "tool/custom_tools.h"

namespace clever::service {
namespace {

using engine::McpServer;
using engine::OfferedTool;

std::vector<std::string> capabilities_of(const tool::Capabilities& can) {
  std::vector<std::string> names;
  const auto add = [&names](bool has, const char* name) {
    if (has) names.emplace_back(name);
  };
  add(can.read_only, "read_only");
  add(can.writes, "writes");
  add(can.checkpointable, "checkpointable");
  add(can.side_effects, "side_effects");
  add(can.idempotent, "idempotent");
  add(can.unsafe, "unsafe");
  return names;
}

/// All tools of all sources.
class Tools {
 public:
  static base::Result<Tools> find(Context& context) {
    Tools tools;
    const auto& settings = context.settings();
    if (!settings.ok()) return settings.error();
    CLEVER_ASSIGN(tools.folders_, definition_folders(context, "tools"));
    CLEVER_ASSIGN(tools.found_, project_trust(context, *settings, tools.folders_.project_root));
    // Only lists them; runs nothing.
    tools.builtin_ = tool::builtin_tools(
        {.commands = tool::CommandWorld::when_needed(context.clock(), tool::CommandOptions{})});
    return tools;
  }

  [[nodiscard]] const DefinitionFolders& folders() const { return folders_; }
  [[nodiscard]] const std::vector<std::string>& problems() const { return found_.offer.problems; }

  [[nodiscard]] std::vector<DefinitionRow> rows() const {
    std::vector<DefinitionRow> rows;
    for (const auto& tool : builtin_) {
      rows.push_back({tool->spec().name, "builtin", tool->spec().description, "built in", ""});
    }
    for (const OfferedTool& tool : found_.offer.tools) {
      rows.push_back({tool.tool.spec.name, "custom", tool.tool.spec.description, owner(tool),
                      tool.tool.place});
    }
    for (const McpServer& server : found_.offer.servers) {
      rows.push_back({server.name, "mcp server", way_of(server), owner(server), server.place});
    }
    return rows;
  }

  [[nodiscard]] base::Result<Report> show(const std::string& name) const {
    for (const auto& tool : builtin_) {
      if (tool->spec().name == name) return shown(tool->spec(), "built in", "", {}, true);
    }
    for (const OfferedTool& tool : found_.offer.tools) {
      if (tool.tool.spec.name != name) continue;
      return shown(tool.tool.spec, owner(tool), tool.tool.place, tool.tool.argv,
                   is_trusted("tool", name));
    }
    for (const McpServer& server : found_.offer.servers) {
      if (server.name == name) return shown(server);
    }
    return unknown(name);
  }

  /// Returns the custom tool of that name.
  [[nodiscard]] base::Result<OfferedTool> custom(const std::string& name) const {
    const auto found = std::ranges::find_if(
        found_.offer.tools, [&](const OfferedTool& tool) { return tool.tool.spec.name == name; });
    if (found != found_.offer.tools.end()) return *found;
    const bool is_builtin =
        std::ranges::any_of(builtin_, [&](const auto& tool) { return tool->spec().name == name; });
    if (is_builtin) {
      return base::invalid_argument("the tool " + name + " is built in and cannot be removed");
    }
    const bool is_server = std::ranges::find(found_.offer.servers, name, &McpServer::name) !=
                           found_.offer.servers.end();
    if (is_server) {
      return base::invalid_argument(name + " is an MCP server: remove [mcp." + name +
                                    "] from the settings");
    }
    return unknown(name);
  }

  [[nodiscard]] std::string place_of(const std::string& name) const {
    for (const auto& tool : builtin_) {
      if (tool->spec().name == name) return "built in";
    }
    for (const OfferedTool& tool : found_.offer.tools) {
      if (tool.tool.spec.name == name) return "in " + tool.tool.place;
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_trusted(std::string_view kind, const std::string& name) const {
    return std::ranges::none_of(found_.untrusted, [&](const engine::NamedCommand& command) {
      return command.kind == kind && command.name == name;
    });
  }
  template <class T>
  [[nodiscard]] std::string owner(const T& thing) const {
    if (!thing.of_project) return "yours";
    return is_trusted(kind_of(thing), name_of(thing)) ? "project" : "project, not trusted";
  }
  static std::string_view kind_of(const OfferedTool&) { return "tool"; }
  static std::string_view kind_of(const McpServer&) { return "mcp"; }
  static const std::string& name_of(const OfferedTool& tool) { return tool.tool.spec.name; }
  static const std::string& name_of(const McpServer& server) { return server.name; }

  static std::string way_of(const McpServer& server) {
    std::string text = server.url;
    for (const std::string& word : server.argv) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  static Report shown(const tool::ToolSpec& spec, const std::string& owner,
                      const std::string& place, const std::vector<std::string>& argv,
                      bool trusted) {
    Shown shown(spec.name);
    shown.add("name", spec.name)
        .add("source", std::string(to_string(spec.source)))
        .add("from", owner)
        .add("place", place)
        .add("description", spec.description)
        .add("command", argv)
        .add("capabilities", capabilities_of(spec.capabilities))
        .add("timeout_s",
             std::to_string(std::chrono::duration_cast<std::chrono::seconds>(spec.timeout).count()))
        .add("input_schema", spec.input_schema)
        .add("output_schema", spec.output_schema)
        .add("trusted", trusted);
    return std::move(shown).report();
  }

  [[nodiscard]] Report shown(const McpServer& server) const {
    Shown shown(server.name);
    std::vector<std::string> environment;
    for (const auto& [name, value] : server.environment) environment.push_back(name);
    std::vector<std::string> headers;
    for (const auto& [name, value] : server.headers) headers.push_back(name);
    shown.add("name", server.name)
        .add("source", std::string("mcp"))
        .add("from", owner(server))
        .add("place", server.place)
        .add("command", server.argv)
        .add("url", server.url)
        .add("env", environment)
        .add("headers", headers)
        .add("trust_hints", server.trust_hints)
        .add("trusted", is_trusted("mcp", server.name) || !server.of_project);
    return std::move(shown).report();
  }

  [[nodiscard]] base::Error unknown(const std::string& name) const {
    std::vector<std::string> names;
    for (const DefinitionRow& row : rows()) names.push_back(row.name);
    std::string message = "there is no tool \"" + name + "\"";
    if (const auto nearest = base::nearest_match(name, names)) {
      return base::not_found(message + "; did you mean " + *nearest + "?");
    }
    return base::not_found(message + "; `agents tool list` lists them");
  }

  DefinitionFolders folders_;
  ProjectTrust found_;
  std::vector<std::shared_ptr<tool::Tool>> builtin_;
};

base::Result<Report> list_tools(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const Tools tools, Tools::find(context));
  return list_report("tools", tools.rows(), tools.problems());
}

base::Result<Report> show_tool(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Tools tools, Tools::find(context));
  return tools.show(invocation.word(0));
}

base::Result<GivenFile> tool_from_flags(const Invocation& invocation) {
  for (const std::string_view needed : {"description", "command"}) {
    if (!invocation.flag(needed)) {
      return base::invalid_argument("--" + std::string(needed) + " is missing");
    }
  }
  Document properties = Document::map();
  Document required = Document::list();
  for (const std::string& name : invocation.values("input")) {
    properties.set(name, Document::map().set("type", "string"));
    required.push(name);
  }
  Document schema = Document::map().set("type", "object");
  if (invocation.flag("input")) {
    schema.set("properties", std::move(properties)).set("required", std::move(required));
  }
  Document capabilities = Document::list();
  for (const std::string& name : invocation.values("capability")) capabilities.push(name);
  Document tool = Document::map()
                      .set("name", *invocation.value("name"))
                      .set("description", *invocation.value("description"))
                      .set("input_schema", std::move(schema))
                      .set("command", *invocation.value("command"));
  if (invocation.flag("capability")) tool.set("capabilities", std::move(capabilities));
  return GivenFile{"the new tool", to_yaml(tool)};
}

base::Result<Report> add_tool(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_source(invocation, {"name", "description", "command", "input", "capability"}));
  const bool by_file = !invocation.words().empty();
  CLEVER_ASSIGN(const GivenFile given,
                by_file ? read_given(invocation.word(0), context) : tool_from_flags(invocation));
  const auto parsed = tool::parse_custom_tools(given.text, given.name);
  if (!parsed.ok()) return by_file ? blame(parsed.error()) : parsed.error();
  CLEVER_ASSIGN(const Tools tools, Tools::find(context));
  for (const tool::CustomTool& tool : *parsed) {
    if (const std::string place = tools.place_of(tool.spec.name); !place.empty()) {
      return base::already_exists("the tool " + tool.spec.name + " is " + place +
                                  " already; choose another name");
    }
  }
  const bool of_project = invocation.flag("project");
  const auto& folder = of_project ? tools.folders().project : tools.folders().home;
  const std::string& name = parsed->front().spec.name;
  CLEVER_ASSIGN(Report report,
                write_definition(folder / file_name_of(name), given.text, "tool", name, context));
  if (of_project) {
    report.messages.push_back({Message::Level::kHint, "allow it to be used: agents trust"});
  }
  return report;
}

base::Result<Report> remove_tool(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Tools tools, Tools::find(context));
  const std::string& name = invocation.word(0);
  CLEVER_ASSIGN(const OfferedTool tool, tools.custom(name));
  for (const DefinitionRow& row : tools.rows()) {
    const bool beside =
        row.type == "custom" && row.name != name && row.place.starts_with(tool.file + ":");
    if (!beside) continue;
    return base::conflict(tool.file + " also holds the tool " + row.name + "; remove " + name +
                          " from the file by hand");
  }
  return remove_definition(tool.file, "tool", name, context);
}

Positional tool_positional() { return {.name = "TOOL", .summary = "Its name"}; }

}  // namespace

Command tool_command() {
  return {.name = "tool",
          .summary = "List, show and add tools: built-in, your own, and of MCP servers",
          .description =
              "Custom tools are YAML files in ~/.cleveragents/tools and in the project's "
              ".cleveragents/tools. MCP servers are [mcp.NAME] in the settings, or in the "
              "project's .mcp.json. Models get the project's tools and servers once you trust them "
              "(`agents trust`). A server starts when a plan first needs its tools, not here.",
          .examples = {{"agents tool list", "Which there are"},
                       {"agents tool show run_command", "What one can do and takes"}},
          .subcommands = {
              {.name = "list",
               .summary = "List tools and MCP servers",
               .examples = {{"agents tool list", "For people"},
                            {"agents tool list --format json", "For programs"}},
               .handler = list_tools},
              {.name = "show",
               .summary = "Show a tool: capabilities, input, where it comes from",
               .positionals = {tool_positional()},
               .examples = {{"agents tool show read_file", "One that is built in"}},
               .handler = show_tool},
              {.name = "add",
               .summary = "Add a tool from a file, or from flags",
               .description = "Checks the file first, and never overwrites an existing one.",
               .positionals = {{.name = "FILE",
                                .summary = "A YAML file; - reads the standard input",
                                .required = false}},
               .options = {{.name = "name", .value = "NAME", .summary = "Its name"},
                           {.name = "description", .value = "TEXT", .summary = "For the model"},
                           {.name = "command",
                            .value = "COMMAND",
                            .summary = "For the shell; its input is JSON on the standard input"},
                           {.name = "input",
                            .value = "NAME",
                            .summary = "A text that it takes; may be repeated",
                            .repeated = true},
                           {.name = "capability",
                            .value = "WHAT",
                            .summary = "What it can do (default writes); may be repeated",
                            .choices = {"read_only", "writes", "checkpointable", "side_effects",
                                        "idempotent", "unsafe"},
                            .repeated = true},
                           project_option()},
               .examples =
                   {{"agents tool add count_words.yaml", "From a file"},
                    {"agents tool add --name deprecated --description \"Lists what is deprecated\" "
                     "--command \"grep -rn deprecated .\" --capability read_only",
                     "From flags"}},
               .handler = add_tool},
              {.name = "remove",
               .summary = "Remove the file of a custom tool",
               .positionals = {tool_positional()},
               .examples = {{"agents tool remove todo", "Its file is deleted"}},
               .handler = remove_tool}}};
}

}  // namespace clever::service
