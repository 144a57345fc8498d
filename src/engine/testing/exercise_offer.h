#pragma once
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "engine/offer/mcp_server.h"
#include "engine/offer/skill.h"

// What must hold for any text at all; shared by the fuzzers and by tests.
namespace clever::engine::internal {

inline void check_message(const base::Error& error, std::string_view file) {
  CLEVER_CHECK(error.code() == base::ErrorCode::kInvalidArgument, "another code");
  CLEVER_CHECK(error.message().starts_with(file), error.message());
  CLEVER_CHECK(base::is_utf8(error.message()), "a message that is no text");
  CLEVER_CHECK(error.message().size() < 10'000, "an endless message");
}

inline void exercise_skill(std::string_view text) {
  const auto skill = parse_skill(text, "SKILL.md");
  if (!skill.ok()) return check_message(skill.error(), "SKILL.md:");
  CLEVER_CHECK(!skill->name.empty() && skill->name.size() <= 64, "a name that cannot be");
  CLEVER_CHECK(!skill->description.empty(), "nothing to go by");
  CLEVER_CHECK(base::is_utf8(skill->body), "a body that is no text");
  constexpr std::size_t kBudget = 500;
  const std::string list = skill_list({*skill}, kBudget);
  CLEVER_CHECK(base::is_utf8(list) && list.size() < kBudget * 4, "an endless list");
}

inline void exercise_mcp_json(std::string_view text) {
  const auto servers = parse_mcp_json(text, ".mcp.json");
  if (!servers.ok()) return check_message(servers.error(), ".mcp.json:");
  for (const McpServer& server : *servers) {
    CLEVER_CHECK(server.argv.empty() != server.url.empty(), "neither a program nor a url");
    CLEVER_CHECK(server.of_project, "not the project's");
    CLEVER_CHECK(!named_command(server).argv.empty(), "nothing to look at");
    static_cast<void>(filled_in(server, io::Environment({{"A", "${B}"}})).ok());
  }
}

}  // namespace clever::engine::internal
