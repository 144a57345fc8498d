#include "engine/rule_check.h"

#include <algorithm>
#include <optional>
#include <ranges>

#include "base/glob.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "engine/permission_rules.h"
#include "engine/sensitive_changes.h"
#include "model/permission_pattern.h"
#include "tool/mcp_tools.h"

namespace clever::engine {
namespace {

using Server = KnownTools::Server;

constexpr std::size_t kLongestRuleShown = 80;

// ---- names

bool may_name_tool_of(std::string_view pattern, const Server& server) {
  const std::string prefix = tool::mcp_tool_name(server.name, "");
  const base::Glob glob(pattern, {.names = false, .sets = false});
  return glob.may_continue(prefix) || glob.may_continue(tool::former_mcp_name(prefix));
}

// Returns the server of a tool name: "github" of "mcp__github__merge"; nothing if it is ambiguous.
std::optional<std::string> server_in(std::string_view pattern) {
  if (!pattern.starts_with(tool::kMcpPrefix)) return std::nullopt;
  pattern.remove_prefix(tool::kMcpPrefix.size());
  const std::string_view name = pattern.substr(0, pattern.find("__"));
  if (name.size() == pattern.size() || name.find_first_of("*?") != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(name);
}

std::string meant(const std::optional<std::string>& nearest) {
  return nearest ? "; did you mean " + *nearest + "?" : "";
}

std::string listed(std::string_view before, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) (text += text.empty() ? before : ", ") += name;
  return text;
}

std::string unknown_server(const std::string& name, const std::vector<Server>& servers) {
  std::vector<std::string> names;
  for (const Server& server : servers) names.push_back(server.name);
  const auto nearest = base::nearest_match(name, names);
  return "no MCP server has the name " + name +
         (nearest ? meant(nearest) : listed("; there are: ", names));
}

std::string unknown_tool(const std::string& pattern, const KnownTools& known) {
  if (const auto name = server_in(pattern)) {
    const auto server = std::ranges::find_if(known.servers, [&](const Server& each) {
      return tool::mcp_tool_name(each.name, "") == tool::mcp_tool_name(*name, "");
    });
    if (server == known.servers.end()) return unknown_server(*name, known.servers);
  }
  std::vector<std::string> names;
  for (const tool::ToolSpec& spec : known.tools) names.push_back(spec.name);
  return "no tool has this name" + meant(base::nearest_match(pattern, names));
}

// ---- arguments of a tool

std::string path_complaint(std::string_view pattern) {
  for (const auto part : pattern | std::views::split('/')) {
    const std::string_view name(part.begin(), part.end());
    if (!name.empty() && name != "." && name != "..") continue;
    return "a path is compared as it is from the project's root, such as docs/a.md or docs/**: "
           "without a / at its beginning or end, without . and ..";
  }
  return {};
}

// A shell removes these characters before a command has words.
std::string command_complaint(std::string_view pattern) {
  for (const auto part : pattern | std::views::split(' ')) {
    const std::string_view word(part.begin(), part.end());
    if (word.empty()) continue;
    if (word.find_first_not_of(";&|<>") == std::string_view::npos) {
      return "it is compared with each command of a script alone, and no command has the word " +
             std::string(word) + ": write a rule for each command";
    }
    if (word.starts_with('"') || word.starts_with('\'')) {
      return "words are compared without their quotes: leave the quotes out";
    }
  }
  return {};
}

std::string argument_complaint(const tool::ToolSpec& spec, std::string_view argument) {
  switch (compared_of(spec.input_schema)) {
    case Compared::kCommand:
      return command_complaint(argument);
    case Compared::kPaths:
      return path_complaint(argument);
    case Compared::kNothing:
      return spec.name + " is called with nothing: leave the parentheses out";
    case Compared::kTexts:
      break;
  }
  return {};
}

// ---- rules

// Returns why the rule can match no call; empty if it can.
std::string complaint_about_effect(const PlacedRule& rule, const KnownTools& known) {
  const auto pattern = model::parse_permission(rule.text);
  if (!pattern.ok()) return pattern.error().message();
  if (rule.may_be_sensitive && pattern->tool == kSensitiveRule) {
    return sensitive_complaint(pattern->argument);
  }
  const bool may_be_unknown = std::ranges::any_of(known.servers, [&](const Server& server) {
    return !server.answered && may_name_tool_of(pattern->tool, server);
  });
  if (may_be_unknown) return {};
  std::optional<std::string> first;
  for (const tool::ToolSpec& spec : known.tools) {
    if (!names_tool(pattern->tool, spec.name)) continue;
    if (pattern->argument.empty()) return {};
    std::string complaint = argument_complaint(spec, pattern->argument);
    if (complaint.empty()) return {};
    if (!first) first = std::move(complaint);
  }
  return first ? *first : unknown_tool(pattern->tool, known);
}

}  // namespace

std::vector<PlacedRule> rules_in(const model::Control& control) {
  std::vector<PlacedRule> rules;
  for (const model::Permission& rule : control.permissions) {
    rules.push_back({rule.pattern,
                     "permissions." + std::string(to_string(rule.verdict)) +
                         (rule.origin.empty() ? "" : " of " + rule.origin),
                     true});
  }
  for (const std::string& tool : control.guards.denied_tools) {
    rules.push_back({tool, "guards.denied_tools"});
  }
  for (const std::string& tool : control.guards.allowed_tools) {
    rules.push_back({tool, "guards.allowed_tools"});
  }
  for (const model::Hook& hook : control.hooks) {
    if (!hook.match.empty()) rules.push_back({hook.match, "match of the hook " + hook.name});
  }
  return rules;
}

std::vector<std::string> rules_without_effect(const std::vector<PlacedRule>& rules,
                                              const KnownTools& known) {
  std::vector<std::string> sentences;
  for (const PlacedRule& rule : rules) {
    const std::string complaint = complaint_about_effect(rule, known);
    if (complaint.empty()) continue;
    const std::string valid = base::to_valid_utf8(rule.text);
    sentences.push_back(rule.place + ": \"" +
                        std::string(base::utf8_prefix(valid, kLongestRuleShown)) +
                        "\" matches nothing: " + complaint);
  }
  return sentences;
}

}  // namespace clever::engine
