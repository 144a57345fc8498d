#pragma once
#include <string>

#include "plan/state.h"

// What we say to a model by ourselves. Pure; the same state makes the same words.
namespace clever::plan::words {

[[nodiscard]] std::string strategize(const State& state);
[[nodiscard]] std::string step(const State& state, const Step& step);
/// What stands for the messages that were cut: what is done and pending, from the state.
[[nodiscard]] std::string summary(const State& state);
/// The first `bytes` of a text at most, without a cut character.
[[nodiscard]] std::string beginning(const std::string& text, std::size_t bytes);
/// The last `bytes` of a text at most, without a cut character.
[[nodiscard]] std::string ending(const std::string& text, std::size_t bytes);
/// All text parts of a message.
[[nodiscard]] std::string text_of(const model::Message& message);

}  // namespace clever::plan::words
