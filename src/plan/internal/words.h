#pragma once
#include <string>

#include "plan/state.h"

// Our own messages to a model. Pure; the same state gives the same words.
namespace clever::plan::words {

[[nodiscard]] std::string strategize(const State& state);
[[nodiscard]] std::string step(const State& state, const Step& step);
/// Replaces the dropped messages: what is done and pending, from the state.
[[nodiscard]] std::string summary(const State& state);
/// The first `bytes` of a text at most, without a partial character.
[[nodiscard]] std::string beginning(const std::string& text, std::size_t bytes);
/// The last `bytes` of a text at most, without a partial character.
[[nodiscard]] std::string ending(const std::string& text, std::size_t bytes);
/// All text parts of a message.
[[nodiscard]] std::string text_of(const model::Message& message);

}  // namespace clever::plan::words
