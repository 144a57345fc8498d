#include "tool/tool.h"

namespace clever::tool {

std::string_view to_string(Source source) noexcept {
  switch (source) {
    case Source::kBuiltin:
      return "builtin";
    case Source::kCustom:
      return "custom";
    case Source::kMcp:
      return "mcp";
    case Source::kAgentSkill:
      return "agent_skill";
    case Source::kWrapped:
      return "wrapped";
  }
  return "unknown";
}

}  // namespace clever::tool
