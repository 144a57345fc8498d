#include "service/plan/approval_details.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "service/plan/kept_message.h"
#include "service/text.h"

namespace clever::service {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostDetailLines = 100;
constexpr std::size_t kWidest = 400;

// Text of a model must not steer the terminal.
std::string indented_lines(std::string_view text, std::string_view indent) {
  std::string shown;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == kMostDetailLines) return shown + std::string(indent) + "…\n";
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line = printable(text.substr(0, std::min(end, kWidest)));
    if (end > kWidest) line += "…";
    shown += std::string(indent) + line + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

std::string text_of_argument(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

// Shows a text of several lines as lines, not as JSON writes it.
std::string call_arguments(const model::ToolCall& call) {
  const Json arguments = Json::parse(call.arguments, nullptr, false);
  if (!arguments.is_object()) return indented_lines(call.arguments, "     ");
  std::string shown;
  for (const auto& [name, value] : arguments.items()) {
    const std::string text = text_of_argument(value);
    const bool is_long = text.contains('\n');
    shown += "     " + printable(name) + ":" + (is_long ? "\n" : " ");
    shown += indented_lines(text, is_long ? "       " : "");
    if (text.empty()) shown += "\n";
  }
  return shown;
}

// The held calls of the answer. If an id occurs again, its later calls have a number.
const model::ToolCall* call_of(const model::Message& answer, const std::string& item) {
  std::map<std::string, int> seen;
  for (const model::Part& part : answer.parts) {
    const auto* call = std::get_if<model::ToolCall>(&part);
    if (call == nullptr) continue;
    const int number = ++seen[call->id];
    const bool plain = number == 1 && !call->id.empty();
    if (item == (plain ? call->id : call->id + "#" + std::to_string(number))) return call;
  }
  return nullptr;
}

std::string call_details(storage::Engine& engine, const plan::OpenEffect& held,
                         const std::string& item, const base::StopToken& stop) {
  const Json data = Json::parse(held.data, nullptr, false);
  if (!data.is_object() || !data.contains("answer") || !data["answer"].is_string()) return {};
  const auto body = base::Sha256Digest::from_hex(data["answer"].get<std::string>());
  if (!body.ok()) return {};
  const auto answer = kept_message(engine, *body, stop);
  const model::ToolCall* call = answer.ok() ? call_of(*answer, item) : nullptr;
  return call == nullptr ? std::string() : call_arguments(*call);
}

std::string strategy_details(const plan::State& plan) {
  std::string shown;
  for (const plan::Step& step : plan.steps) {
    const bool apart = step.definition.mode == model::StepMode::kSubplan;
    shown += "     " + printable(step.definition.id) + ": " + printable(step.definition.title) +
             (apart ? " (a subplan)" : "") + "\n";
    shown += indented_lines(step.definition.detail, "       ");
  }
  return shown;
}

}  // namespace

std::string approval_details(storage::Engine& engine, const plan::State& plan,
                             const model::ApprovalItem& item, const base::StopToken& stop) {
  if (plan.held) return call_details(engine, *plan.held, item.id, stop);
  const bool strategy = plan.approval && plan.approval->subject == "strategy";
  return strategy ? strategy_details(plan) : std::string();
}

}  // namespace clever::service
