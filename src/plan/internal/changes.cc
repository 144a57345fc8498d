#include "plan/internal/changes.h"

#include <algorithm>

#include "model/change_events.h"
#include "model/work_events.h"

namespace clever::plan {

bool is_nothing(const base::Sha256Digest& digest) noexcept {
  static const base::Sha256Digest kNothing = model::digest_of({});
  return digest == kNothing;
}

void open_changeset(Draft& draft) {
  const CurrentChangeset& current = draft.state().changeset;
  if (current.id && !current.digest) return;
  const auto id = draft.make_id<model::ChangesetId>();
  draft.add(model::ChangesetStarted{id, draft.state().decision});
  draft.add(model::WorkBegan{id});
}

void move_work(Draft& draft, const std::string& tree, std::string why) {
  if (tree.empty() || tree == draft.state().tree) return;
  draft.add(model::WorkMoved{.tree = tree, .why = std::move(why)});
}

void resolve_conflicts(Draft& draft, const std::vector<std::string>& still_open) {
  model::ConflictsResolved resolved;
  for (const model::OpenConflict& conflict : draft.state().conflicts) {
    if (std::ranges::find(still_open, conflict.path) == still_open.end()) {
      resolved.paths.push_back(conflict.path);
    }
  }
  if (!resolved.paths.empty()) draft.add(resolved);
}

}  // namespace clever::plan
