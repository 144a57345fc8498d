#pragma once
#include "cli/tui/cell_screen.h"
#include "cli/tui/tui_model.h"

namespace clever::cli {

/// What the model looks like: the plans at the left, one of them at the right, keys at the bottom.
/// On a narrow screen either the plans or the one. A pure function.
void draw(const TuiModel& model, CellScreen& screen);

}  // namespace clever::cli
