#pragma once

namespace clever::git {

/// Initialises libgit2 and bounds its memory. Every function of this module that needs libgit2
/// calls this itself. Cheap after the first call; thread-safe.
void initialise();

}  // namespace clever::git
