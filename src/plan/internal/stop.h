#pragma once
#include "plan/command.h"
#include "plan/internal/draft.h"

// Work that nobody has a use for any more. What a correction makes useless is asked to stop, and
// what follows waits until it has.
namespace clever::plan {

/// The effect of whose end a command tells, if that is one that is to stop; none: it is not.
[[nodiscard]] model::EffectId stopped_by(const State& state, const Command& command);

/// The plan goes on where the correction left it; nothing, while something of its own is still to
/// stop or it stands still.
void go_on_corrected(Draft& draft);

/// Whether work of an owner that is gone is not done once more if somebody said something
/// meanwhile: a turn of the conversation, unless a person has to be asked about it.
[[nodiscard]] bool gives_way_to_words(const OpenEffect& effect);

}  // namespace clever::plan
