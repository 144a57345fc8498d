#include "engine/effects/internal/shown_tools.h"

#include <array>
#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace clever::engine::internal {
namespace {

using nlohmann::json;

constexpr std::size_t kLongest = 80;
constexpr std::size_t kLongestProblem = 200;
// The last are the names that external agents use.
constexpr std::array kTelling{"path", "from", "command", "pattern",   "query", "glob",
                              "name", "url",  "cmd",     "file_path", "title"};

std::string telling_argument(std::string_view arguments) {
  const json object = json::parse(arguments, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return {};
  for (const char* key : kTelling) {
    const auto value = object.find(key);
    if (value != object.end() && value->is_string()) return value->get<std::string>();
  }
  return {};
}

class ShownTool final : public tool::Tool {
 public:
  ShownTool(std::shared_ptr<tool::Tool> inner, Observer& observer, const model::PlanId& plan)
      : inner_(std::move(inner)), observer_(observer), plan_(plan) {}

  [[nodiscard]] const tool::ToolSpec& spec() const override { return inner_->spec(); }

  base::Result<tool::ToolAnswer> call(const tool::CallContext& context,
                                      std::string_view input) override {
    const std::string shown = shown_call(spec().name, input);
    observer_.on_tool(plan_, shown, /*begins=*/true);
    auto answer = inner_->call(context, input);
    observer_.on_tool(plan_, shown, /*begins=*/false);
    return answer;
  }

 private:
  const std::shared_ptr<tool::Tool> inner_;
  Observer& observer_;
  const model::PlanId plan_;
};

// Hashes the parts with their lengths, so that different calls never give the same text.
base::Sha256Digest fingerprint(const model::ToolCall& call, const std::string& answer) {
  base::Sha256 hash;
  for (const std::string* part : {&call.name, &call.arguments, &answer}) {
    hash.update(std::to_string(part->size())).update(":").update(*part);
  }
  return hash.finish();
}

}  // namespace

std::string first_line(std::string_view text, std::size_t longest) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
  if (line.size() <= longest) return std::string(line);
  return std::string(base::utf8_prefix(line, longest)) + "…";
}

std::string shown_call(const std::string& name, std::string_view arguments) {
  const std::string argument = telling_argument(arguments);
  return first_line(argument.empty() ? name : name + " " + argument, kLongest);
}

model::ToolNote note_on(const model::ToolCall& call, const std::string& answer, bool failed) {
  return {.tool = call.name,
          .failed = failed,
          .fingerprint = fingerprint(call, answer),
          .shown = shown_call(call.name, call.arguments),
          .problem = failed ? first_line(answer, kLongestProblem) : ""};
}

std::shared_ptr<const tool::ToolSnapshot> shown_tools(
    const std::shared_ptr<const tool::ToolSnapshot>& tools,
    const std::vector<model::ToolCall>& calls, Observer* observer, const model::PlanId& plan) {
  if (observer == nullptr) return tools;
  // Lists all tools, for the message about a tool that does not exist.
  tool::ToolSnapshot::Tools shown = tools->tools();
  for (const model::ToolCall& call : calls) {
    const auto found = shown.find(call.name);
    if (found == shown.end() || found->second != tools->tools().find(call.name)->second) continue;
    auto registered = std::make_shared<tool::RegisteredTool>(*found->second);
    registered->tool = std::make_shared<ShownTool>(registered->tool, *observer, plan);
    found->second = std::move(registered);
  }
  return std::make_shared<const tool::ToolSnapshot>(std::move(shown));
}

}  // namespace clever::engine::internal
