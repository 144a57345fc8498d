#pragma once

namespace clever::git {

/// Makes libgit2 ready for this process and bounds what it keeps in memory: every function of this
/// module that needs it calls this itself. Cheap after the first call; thread-safe.
void initialise();

}  // namespace clever::git
