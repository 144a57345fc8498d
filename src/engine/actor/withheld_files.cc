#include "engine/actor/withheld_files.h"

#include "git/tree_path.h"

namespace clever::engine {
namespace {

// Withholds whole files: a part of a file may hold a part of the secret.
bool is_withheld(const ContextFragment& fragment, sandbox::Workspace& workspace,
                 const base::Secrets& secrets) {
  if (secrets.found_in(fragment.text)) return true;
  const auto path = workspace.resolve(fragment.path);
  if (!path.ok()) return false;
  const auto file = workspace.read(*path);
  return file.ok() && secrets.found_in(file->content);
}

}  // namespace

void withhold_files(std::vector<ContextFragment>& fragments, sandbox::Workspace& workspace,
                    const base::Secrets* secrets) {
  if (secrets == nullptr) return;
  for (ContextFragment& fragment : fragments) {
    if (fragment.path.empty()) {
      fragment.text = secrets->withhold(fragment.text);
    } else if (is_withheld(fragment, workspace, *secrets)) {
      fragment.text = base::kFileWithheld;
    }
  }
}

}  // namespace clever::engine
