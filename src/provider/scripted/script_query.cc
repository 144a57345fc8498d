#include <algorithm>
#include <map>
#include <ranges>

#include "base/glob.h"
#include "provider/scripted/script_player.h"

namespace clever::provider {
namespace {

using model::Message;
using model::Part;
using model::Text;
using model::ToolCall;
using model::ToolResult;

void add_line(std::string& text, std::string_view more) {
  if (!text.empty()) text += '\n';
  text += more;
}

std::string text_of(const ToolResult& result) {
  std::string text;
  for (const auto& part : result.content) {
    if (const auto* piece = std::get_if<Text>(&part)) add_line(text, piece->text);
  }
  return text;
}

// Only the text parts.
std::string own_text(const Message& message) {
  std::string text;
  for (const Part& part : message.parts) {
    if (const auto* piece = std::get_if<Text>(&part)) add_line(text, piece->text);
  }
  return text;
}

std::string all_text(const Message& message) {
  std::string text;
  for (const Part& part : message.parts) {
    if (const auto* piece = std::get_if<Text>(&part)) add_line(text, piece->text);
    if (const auto* result = std::get_if<ToolResult>(&part)) add_line(text, text_of(*result));
  }
  return text;
}

std::string last_user_text(const Conversation& messages) {
  for (const Message& message : messages | std::views::reverse) {
    std::string text = message.role == model::Role::kUser ? own_text(message) : std::string();
    if (!text.empty()) return text;
  }
  return {};
}

std::map<std::string, std::string, std::less<>> tools_of_calls(const Conversation& messages,
                                                               std::size_t& calls) {
  std::map<std::string, std::string, std::less<>> tools;
  for (const Message& message : messages) {
    for (const Part& part : message.parts) {
      const auto* call = std::get_if<ToolCall>(&part);
      if (call == nullptr) continue;
      ++calls;
      tools[call->id] = call->name;
    }
  }
  return tools;
}

void add_results(ScriptQuery& query, const Conversation& messages) {
  const auto tools = tools_of_calls(messages, query.calls);
  if (messages.empty()) return;
  for (const Part& part : messages.back().parts) {
    const auto* result = std::get_if<ToolResult>(&part);
    if (result == nullptr) continue;
    add_line(query.result_text, text_of(*result));
    const auto tool = tools.find(result->call);
    if (tool != tools.end()) query.results.push_back(tool->second);
  }
}

bool contains_all(std::string_view text, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(
      wanted, [&](const std::string& piece) { return text.find(piece) != std::string_view::npos; });
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool any_contains_all(const std::vector<std::string>& texts,
                      const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::any_of(texts, [&](const std::string& text) {
           return contains_all(text, wanted);
         });
}

bool plain_parts_match(const ScriptMatch& match, const ScriptQuery& query) {
  return (match.model.empty() || base::matches_wildcards(match.model, query.model)) &&
         (!match.turn || *match.turn == query.turn) &&
         (match.result.empty() || contains(query.results, match.result)) &&
         contains_all(query.user, match.user) && contains_all(query.system, match.system) &&
         contains_all(query.result_text, match.result_text) &&
         any_contains_all(query.messages, match.any) &&
         std::ranges::all_of(match.tool,
                             [&](const std::string& tool) { return contains(query.tools, tool); });
}

// Returns the groups of the pattern's match in the last text that it matches.
std::optional<std::vector<std::string>> search_last(const Pattern& pattern,
                                                    const std::vector<std::string>& texts) {
  for (const std::string& text : texts | std::views::reverse) {
    if (auto found = pattern.search(text)) return found;
  }
  return std::nullopt;
}

bool add_groups(const std::optional<Pattern>& pattern, const std::vector<std::string>& texts,
                std::vector<std::string>& groups) {
  if (!pattern) return true;
  const auto found = search_last(*pattern, texts);
  if (found) groups.insert(groups.end(), found->begin(), found->end());
  return found.has_value();
}

}  // namespace

ScriptQuery script_query(const std::string& model, const ModelRequest& request) {
  ScriptQuery query{.model = model, .system = request.system};
  query.user = last_user_text(request.messages);
  query.bytes = request.system.size();
  for (const Message& message : request.messages) {
    query.messages.push_back(all_text(message));
    query.bytes += query.messages.back().size();
    if (message.role == model::Role::kAssistant) ++query.turn;
  }
  for (const ToolSpec& tool : request.tools) query.tools.push_back(tool.name);
  add_results(query, request.messages);
  return query;
}

std::optional<std::vector<std::string>> match_rule(const ScriptMatch& match,
                                                   const ScriptQuery& query) {
  std::vector<std::string> groups;
  const bool matches = plain_parts_match(match, query) &&
                       add_groups(match.user_regex, {query.user}, groups) &&
                       add_groups(match.any_regex, query.messages, groups) &&
                       add_groups(match.system_regex, {query.system}, groups) &&
                       add_groups(match.result_regex, {query.result_text}, groups);
  if (!matches) return std::nullopt;
  return groups;
}

}  // namespace clever::provider
