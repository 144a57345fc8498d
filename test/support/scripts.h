#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "provider/scripted/script_player.h"

// Scripts in place of models.
namespace clever::test {

/// Says what the user said.
inline constexpr std::string_view kEchoScript =
    "rules: [{match: {user_regex: '(.*)'}, reply: 'said {1}'}]";

/// What the player answers, or why it does not.
inline std::string scripted_reply(provider::ScriptPlayer& player,
                                  const provider::ModelRequest& request,
                                  const std::string& model = "m") {
  const auto answer = player.answer(provider::script_query(model, request));
  if (const auto* failure = std::get_if<provider::Failure>(&answer)) return failure->message;
  return std::get<provider::ScriptedAnswer>(answer).reply.text;
}

}  // namespace clever::test
