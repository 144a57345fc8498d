#pragma once
#include "plan/command.h"
#include "plan/internal/draft.h"

// Stops useless work. A correction asks work that it made useless to stop, and waits for its end.
namespace clever::plan {

/// The stopping effect that a command ends; none for other commands.
[[nodiscard]] model::EffectId stopped_by(const State& state, const Command& command);

/// Continues the plan where the correction left it; does nothing while its own work is still
/// stopping, or the plan waits.
void go_on_corrected(Draft& draft);

/// Whether interrupted work is not repeated if a person sent a prompt meanwhile: a turn of the
/// conversation, unless a person must decide about it.
[[nodiscard]] bool gives_way_to_words(const OpenEffect& effect);

}  // namespace clever::plan
