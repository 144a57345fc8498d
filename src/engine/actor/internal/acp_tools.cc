#include "engine/actor/internal/acp_tools.h"

#include <nlohmann/json.hpp>

#include "engine/actor/internal/acp_json.h"

namespace clever::engine::internal {

std::optional<AgentTool> AcpTools::take(const nlohmann::json& call, bool begins, bool is_asked) {
  const std::string id = shown_text(member_text(call, "toolCallId"));
  if (begins && calls_.size() < kMost) calls_.try_emplace(id, Call{.tool = {.id = id}});
  const auto found = calls_.find(id);
  if (found == calls_.end()) return std::nullopt;
  auto& [tool, is_shown] = found->second;
  if (const std::string title = shown_text(member_text(call, "title")); !title.empty()) {
    tool.title = title;
  }
  for (const char* key : {"name", "kind"}) {
    if (tool.name.empty()) tool.name = shown_text(member_text(call, key));
  }
  const nlohmann::json& input = member(call, "rawInput");
  const bool is_described = input.is_object() && !input.empty();
  if (is_described) tool.input = dumped(input);
  const std::string status = member_text(call, "status");
  const bool is_begun = !status.empty() && status != "pending";
  // Without an id no update follows.
  const bool is_known = is_described || is_begun || is_asked || id.empty();
  if (is_shown || !is_known) return std::nullopt;
  AgentTool shown = show(found->second);
  if (id.empty()) calls_.erase(found);
  return shown;
}

AgentTool AcpTools::show(Call& call) {
  call.is_shown = true;
  AgentTool shown = call.tool;
  if (shown.name.empty()) shown.name = "tool";
  return shown;
}

std::vector<AgentTool> AcpTools::take_rest() {
  std::vector<AgentTool> rest;
  for (auto& [id, call] : calls_) {
    if (!call.is_shown) rest.push_back(show(call));
  }
  return rest;
}

AgentTool AcpTools::end(const std::string& id) {
  auto node = calls_.extract(id);
  return node.empty() ? AgentTool{} : std::move(node.mapped().tool);
}

}  // namespace clever::engine::internal
