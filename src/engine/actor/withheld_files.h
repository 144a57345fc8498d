#pragma once
#include <vector>

#include "base/secrets.h"
#include "engine/actor/context_source.h"
#include "sandbox/workspace.h"

namespace clever::engine {

/// Says of each file that holds a known secret that it is withheld, instead of showing it or a part
/// of it; masks known secrets in what is no file. All else stays byte for byte: the model writes
/// back what it reads. Without secrets nothing changes.
void withhold_files(std::vector<ContextFragment>& fragments, sandbox::Workspace& workspace,
                    const base::Secrets* secrets);

}  // namespace clever::engine
