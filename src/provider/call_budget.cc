#include "provider/call_budget.h"

#include <algorithm>
#include <chrono>

#include "provider/price.h"

namespace clever::provider {
namespace {

// What a wire format adds around a part, and room for a provider's preamble for tools.
constexpr std::int64_t kPerPart = 64;
constexpr std::int64_t kPerRequest = 2048;
// No provider counts more for one image, with any tiling.
constexpr std::int64_t kPerImage = 32'768;

std::int64_t size(const std::string& text) { return static_cast<std::int64_t>(text.size()); }

struct PartBound {
  std::int64_t operator()(const model::Text& text) const { return size(text.text); }
  std::int64_t operator()(const model::Image&) const { return kPerImage; }
  std::int64_t operator()(const model::Reasoning& reasoning) const {
    return size(reasoning.text) + size(reasoning.opaque);
  }
  std::int64_t operator()(const model::ToolCall& call) const {
    return size(call.id) + size(call.name) + size(call.arguments) + size(call.opaque);
  }
  std::int64_t operator()(const model::ToolResult& result) const {
    std::int64_t sum = size(result.call);
    for (const auto& content : result.content) sum += std::visit(*this, content) + kPerPart;
    return sum;
  }
};

std::string day_scope(base::WallTime now) {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(now)};
  const auto two = [](unsigned number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return "day/" + std::to_string(static_cast<int>(day.year())) + "-" +
         two(static_cast<unsigned>(day.month())) + "-" + two(static_cast<unsigned>(day.day()));
}

}  // namespace

std::vector<std::string> budget_scopes(const Spender& spender) {
  std::vector<std::string> scopes{day_scope(spender.now), "plan/" + spender.plan.to_string()};
  if (!spender.session.empty()) scopes.push_back("session/" + spender.session);
  for (const model::PlanId& parent : spender.parents) {
    scopes.push_back("plan/" + parent.to_string());
  }
  return model::in_order_of_taking(std::move(scopes));
}

std::int64_t input_token_bound(const ModelRequest& request) {
  std::int64_t sum = kPerRequest + size(request.system) + size(request.answer_schema);
  for (const model::Message& message : request.messages) {
    for (const model::Part& part : message.parts) sum += std::visit(PartBound(), part) + kPerPart;
  }
  for (const ToolSpec& tool : request.tools) {
    sum += size(tool.name) + size(tool.description) + size(tool.parameters) + kPerPart;
  }
  for (const std::string& stop : request.stop) sum += size(stop);
  return sum;
}

CallBudget call_budget(const std::vector<ResolvedModel>& chain, const ModelRequest& request) {
  const std::int64_t input = input_token_bound(request);
  const std::int64_t output = std::max<std::int64_t>(request.max_output_tokens, 0);
  CallBudget budget;
  budget.worst_case.tokens = std::min(input + output, model::kLargestAmount);
  for (const ResolvedModel& model : chain) {
    if (!model.facts.price) {
      budget.unpriced.push_back(model.name());
      continue;
    }
    budget.worst_case.money =
        std::max(budget.worst_case.money, worst_case(*model.facts.price, input, output));
  }
  return budget;
}

model::Cost actual_cost(const ModelFacts& facts, const Usage& usage, const model::Cost& reserved) {
  if (!usage.known) return reserved;
  const std::int64_t tokens =
      std::max<std::int64_t>(usage.input, 0) + std::max<std::int64_t>(usage.output, 0);
  return {facts.price ? cost(*facts.price, usage) : 0, std::min(tokens, model::kLargestAmount)};
}

}  // namespace clever::provider
