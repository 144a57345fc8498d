#pragma once
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "engine/actor/action.h"
#include "engine/actor/internal/replacer.h"
#include "engine/actor/internal/variables.h"
#include "engine/actor/new_plan.h"
#include "engine/actor/tool_actor.h"

// What must hold for any text at all; shared by the fuzzers and by tests.
namespace clever::engine::internal {

template <class T>
void check_refusal(const base::Result<T>& result) {
  const base::Error& error = result.error();
  CLEVER_CHECK(error.code() == base::ErrorCode::kInvalidArgument, "another code");
  CLEVER_CHECK(error.message().starts_with("t.yaml:"), error.message());
  CLEVER_CHECK(base::is_utf8(error.message()), "a message that is no text");
  CLEVER_CHECK(error.message().size() < 100'000, "an endless message");
}

inline void exercise_actor(std::string_view text) {
  const auto actor = actor_from_yaml(text, "t.yaml");
  if (!actor.ok()) return check_refusal(actor);
  const bool by_tools = actor->type == ActorType::kTool;
  CLEVER_CHECK(by_tools == !actor->steps.empty(), "steps where none belong, or none at all");
  CLEVER_CHECK(by_tools || actor->split_into == 0, "a split of nothing");
  std::map<std::string, std::string> values;
  for (const ActorArgument& argument : actor->arguments) values[argument.name] = "${x} $1 (";
  for (const ToolActorStep& step : actor->steps) {
    if (step.kind != "replace") continue;
    const auto replacer = Replacer::of(step, values);
    if (replacer.ok()) (void)(*replacer)->replace("a text\r\nof two lines, a");
  }
}

inline void exercise_action(std::string_view text) {
  const auto action = action_from_yaml(text, "t.yaml");
  if (!action.ok()) return check_refusal(action);
  const auto created = new_plan(*action, ActorCatalog::load({}).value(), {.task = "t"},
                                [](const std::string&) { return model::ModelTerms{}; });
  if (!created.ok()) return;
  CLEVER_CHECK(base::is_utf8(created->title), "a title that is no text");
}

inline void exercise_title(std::string_view text) {
  const std::string title = plan_title(text);
  CLEVER_CHECK(base::is_utf8(title) && !title.contains('\n'), "a title that is no line");
  std::size_t characters = 0;
  for (std::size_t at = 0; at < title.size(); at += base::decode_utf8(title, at).size) ++characters;
  CLEVER_CHECK(characters <= 72, "a title that is too long");
}

}  // namespace clever::engine::internal
