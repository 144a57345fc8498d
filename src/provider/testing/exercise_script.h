#pragma once
#include <string_view>

#include "base/check.h"
#include "provider/scripted/script_player.h"

// Checks that hold for any text; shared by the fuzzer and tests.
namespace clever::provider::internal {

/// Parses `text` as a script and, if it is one, lets it answer. Aborts if a check fails.
inline void exercise_script(std::string_view text) {
  auto script = Script::parse(text, "s.yaml");
  if (!script.ok()) {
    CLEVER_CHECK(script.error().code() == base::ErrorCode::kInvalidArgument,
                 script.error().to_string());
    CLEVER_CHECK(script.error().message().starts_with("s.yaml:"), script.error().message());
    CLEVER_CHECK(script.error().message().size() < 1000, "an endless message");
    return;
  }
  CLEVER_CHECK(!script->rules.empty(), "a script without rules");
  ScriptPlayer player(std::move(script).value());
  const ScriptQuery query{
      .model = "m", .user = "aaa bbb", .messages = {"aaa bbb", std::string(text)}};
  for (int i = 0; i < 3; ++i) {
    const auto answer = player.answer(query);
    const auto* said = std::get_if<ScriptedAnswer>(&answer);
    if (said == nullptr) continue;
    CLEVER_CHECK(said->reply.usage.has_value(), "an answer without usage");
    std::string together;
    for (const Delta& delta : deltas_of(said->reply)) {
      if (const auto* piece = std::get_if<TextDelta>(&delta)) together += piece->text;
    }
    CLEVER_CHECK(together == said->reply.text, "the pieces are not the text");
    (void)failure_of(*said, "demo");
    (void)to_answer(said->reply, query);
  }
}

}  // namespace clever::provider::internal
