#include "sim/engine/world.h"

#include <nlohmann/json.hpp>

#include "base/sha256.h"

namespace clever::sim {

std::uint64_t Script::number(const std::string& what, std::uint64_t below) const {
  const auto digest = base::sha256(std::to_string(seed_) + "/" + what);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8U | digest.bytes()[i];
  return value % below;
}

model::Strategy Script::strategy() const {
  model::Strategy strategy{.summary = "as the script says"};
  const std::uint64_t count = 1 + number("steps", 6);
  for (std::uint64_t i = 1; i <= count; ++i) {
    const std::string id = "s" + std::to_string(i);
    strategy.steps.push_back({.id = id,
                              .title = "step " + id,
                              .mode = number("mode/" + id, 3) == 0 ? model::StepMode::kInline
                                                                   : model::StepMode::kSubplan});
  }
  return strategy;
}

model::Message Script::answer(const std::string& step, std::size_t turn) const {
  model::Message message{model::Role::kAssistant, {}};
  if (turn >= number("turns/" + step, 4)) {
    message.parts.emplace_back(model::Text{step + " is done"});
    return message;
  }
  const std::string name = step + "/" + std::to_string(turn);
  const std::uint64_t calls = 1 + number("calls/" + name, 3);
  for (std::uint64_t i = 0; i < calls; ++i) {
    const std::string call = name + "/" + std::to_string(i);
    const char* tools[] = {"read", "write", "append"};
    const nlohmann::json arguments{{"path", step + "/" + std::to_string(number(call, 2))},
                                   {"text", call + ";"}};
    message.parts.emplace_back(model::ToolCall{
        .id = call, .name = tools[number("tool/" + call, 3)], .arguments = arguments.dump()});
  }
  return message;
}

std::string World::put(const Tree& tree) {
  const std::string id = base::sha256(nlohmann::json(tree).dump()).to_hex().substr(0, 40);
  trees_[id] = tree;
  return id;
}

Tree merged(Tree into, const Tree& before, const Tree& after) {
  for (const auto& [path, content] : after) {
    const auto old = before.find(path);
    if (old == before.end() || old->second != content) into[path] = content;
  }
  return into;
}

std::vector<std::string> steps_in(const std::string& data) {
  return nlohmann::json::parse(data)["steps"].get<std::vector<std::string>>();
}

std::string step_in(const std::string& data) {
  return nlohmann::json::parse(data)["step"].get<std::string>();
}

std::vector<std::string> kept_in(const std::string& data) {
  return nlohmann::json::parse(data)["keep"].get<std::vector<std::string>>();
}

std::string run_tool(Tree& tree, const model::ToolCall& call) {
  const auto arguments = nlohmann::json::parse(call.arguments);
  const auto path = arguments["path"].get<std::string>();
  if (call.name == "read") return tree.contains(path) ? tree.at(path) : "no such file";
  std::string& file = tree[path];
  if (call.name == "write") file = arguments["text"].get<std::string>();
  // Twice is not once: a call whose outcome was recorded and that runs again would show.
  if (call.name == "append") file += arguments["text"].get<std::string>();
  return file;
}

}  // namespace clever::sim
