#pragma once
#include "confine/command.h"

namespace clever::confine::internal {

/// The home of the person who runs this, wherever it lies, and what the links among the hidden
/// places lead to.
void add_hidden_homes(Command& command);

}  // namespace clever::confine::internal
