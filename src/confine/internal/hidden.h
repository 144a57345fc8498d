#pragma once
#include "confine/command.h"

namespace clever::confine::internal {

/// Hides the user's home folder, wherever it is, and the targets of links among the hidden places.
void add_hidden_homes(Command& command);

}  // namespace clever::confine::internal
