#include "provider/internal/wire_answer.h"

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "base/utf8.h"

namespace clever::provider::internal {
namespace {

using model::Part;
using model::Reasoning;
using model::Text;
using model::ToolCall;

bool is_empty(const Part& part) {
  if (const auto* text = std::get_if<Text>(&part)) return text->text.empty();
  if (const auto* reasoning = std::get_if<Reasoning>(&part)) {
    return reasoning->text.empty() && reasoning->opaque.empty();
  }
  return false;
}

// Reading an answer again gives the same ids; two answers rarely share one.
std::string made_id(std::string_view seed, std::size_t number, const ToolCall& call) {
  base::Sha256 hash;
  hash.update(seed).update("\n").update(std::to_string(number)).update("\n");
  hash.update(call.name).update("\n").update(call.arguments);
  return "call_" + hash.finish().to_hex().substr(0, 16);
}

}  // namespace

std::string& AnswerBuilder::text() {
  auto& parts = answer_.message.parts;
  if (parts.empty() || !std::holds_alternative<Text>(parts.back())) parts.emplace_back(Text{});
  return std::get<Text>(parts.back()).text;
}

Reasoning& AnswerBuilder::reasoning(std::string_view wire) {
  auto& parts = answer_.message.parts;
  if (parts.empty() || !std::holds_alternative<Reasoning>(parts.back())) return add_reasoning(wire);
  return std::get<Reasoning>(parts.back());
}

Reasoning& AnswerBuilder::add_reasoning(std::string_view wire) {
  auto& parts = answer_.message.parts;
  parts.emplace_back(Reasoning{.text = {}, .opaque = {}, .wire = std::string(wire)});
  return std::get<Reasoning>(parts.back());
}

Reasoning& AnswerBuilder::first_reasoning(std::string_view wire) {
  auto& parts = answer_.message.parts;
  auto found = std::ranges::find_if(
      parts, [](const Part& part) { return std::holds_alternative<Reasoning>(part); });
  if (found == parts.end()) {
    found =
        parts.insert(parts.begin(), Reasoning{.text = {}, .opaque = {}, .wire = std::string(wire)});
    for (std::size_t& place : calls_) ++place;
  }
  return std::get<Reasoning>(*found);
}

std::size_t AnswerBuilder::add_call(std::string id, std::string name) {
  auto& parts = answer_.message.parts;
  calls_.push_back(parts.size());
  parts.emplace_back(
      ToolCall{.id = std::move(id), .name = std::move(name), .arguments = {}, .opaque = {}});
  return calls_.size() - 1;
}

ToolCall& AnswerBuilder::call(std::size_t number) {
  return std::get<ToolCall>(answer_.message.parts[calls_[number]]);
}

void AnswerBuilder::name_calls() {
  std::set<std::string> taken;
  for (std::size_t number = 0; number < calls_.size(); ++number) {
    ToolCall& one = call(number);
    if (one.arguments.empty()) one.arguments = "{}";
    if (one.id.empty()) one.id = made_id(seed_.empty() ? answer_.id : seed_, number, one);
    const std::string wanted = one.id;
    for (int copy = 2; !taken.insert(one.id).second; ++copy) {
      one.id = wanted + "_" + std::to_string(copy);
    }
  }
}

std::variant<ModelAnswer, std::string> AnswerBuilder::take() {
  name_calls();
  for (std::size_t number = 0; number < calls_.size(); ++number) {
    if (call(number).name.empty()) return "a tool call without a name";
  }
  std::erase_if(answer_.message.parts, is_empty);
  if (answer_.stop == StopReason::kEnd && !answer_.refusal.empty()) {
    answer_.stop = StopReason::kRefusal;
  }
  if (answer_.stop == StopReason::kEnd && !calls_.empty()) answer_.stop = StopReason::kToolCalls;
  return std::move(answer_);
}

}  // namespace clever::provider::internal
