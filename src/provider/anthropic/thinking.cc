#include "provider/anthropic/thinking.h"

#include <algorithm>

#include "provider/endpoint.h"
#include "provider/internal/wire_request.h"

namespace clever::provider::anthropic {
namespace {

using internal::ModelVersion;
using model::Part;

constexpr std::int64_t kSmallestBudget = 1024;
constexpr std::int64_t kLargestBudget = 32'000;
constexpr ModelVersion kFirstThinking{3, 7};
constexpr ModelVersion kFirstAdaptive{4, 6};
constexpr ModelVersion kFirstWithoutTemperature{4, 7};

// A name without a version belongs to a model newer than this table.
ModelVersion version(const std::string& model) {
  const ModelVersion found = internal::version_of(model);
  return found == ModelVersion{} ? ModelVersion{99, 0} : found;
}

// With a fixed budget, a turn that waits for results must have begun with thinking.
bool may_think(const Conversation& messages) {
  if (messages.size() < 2) return true;
  const auto& last = messages.back().parts;
  const bool results = std::ranges::any_of(
      last, [](const Part& part) { return std::holds_alternative<model::ToolResult>(part); });
  if (!results) return true;
  const auto& turn = messages[messages.size() - 2].parts;
  const auto* thought = std::get_if<model::Reasoning>(&turn.front());
  return thought != nullptr && thought->wire == to_string(Wire::kAnthropic) &&
         !thought->opaque.empty();
}

std::int64_t budget_of(const ModelRequest& request) {
  const std::int64_t most = request.max_output_tokens;
  const std::int64_t quarters = request.reasoning_effort == "low"      ? 1
                                : request.reasoning_effort == "medium" ? 2
                                                                       : 3;
  return std::clamp(most / 4 * quarters, kSmallestBudget, kLargestBudget);
}

}  // namespace

Thinking thinking_for(const std::string& model, const ModelRequest& request,
                      const Conversation& messages) {
  if (request.reasoning_effort.empty() || version(model) < kFirstThinking) return {};
  if (version(model) >= kFirstAdaptive) return {.mode = Thinking::Mode::kAdaptive, .budget = 0};
  // A forced call and a fixed budget exclude each other.
  if (request.tool_choice == ToolChoice::kRequired && !request.tools.empty()) return {};
  const std::int64_t budget = budget_of(request);
  if (budget >= request.max_output_tokens || !may_think(messages)) return {};
  return {.mode = Thinking::Mode::kBudget, .budget = budget};
}

bool takes_temperature(const std::string& model, const Thinking& thinking) {
  return thinking.mode == Thinking::Mode::kNone && version(model) < kFirstWithoutTemperature;
}

}  // namespace clever::provider::anthropic
