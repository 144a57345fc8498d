// The first line is a rule, the rest a command, a path and a text: any input gets a verdict, and a
// rule never allows what the same rule denies.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/permission_rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const auto pattern = model::parse_permission(text.substr(0, end));
  const std::string rest(text.substr(std::min(end + 1, text.size())));
  if (!pattern.ok()) return pattern.error().message().empty() ? 1 : 0;
  for (const char* key : {"command", "path", "text"}) {
    const model::ToolCall call{.name = pattern->tool,
                               .arguments = nlohmann::json{{key, rest}}.dump(
                                   -1, ' ', false, nlohmann::json::error_handler_t::replace)};
    const engine::Fit fit = engine::concerns(*pattern, call, "/p");
    // A rule that certainly covers a call is about it.
    if (engine::is_covered({*pattern}, call, "/p") && fit == engine::Fit::kNo) std::abort();
  }
  return 0;
}
