#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "model/change.h"
#include "model/work_events.h"

namespace clever::engine::internal {

/// Those that are still open in a tree. One whose file has markers is, as long as one of its
/// markers is in the file, whatever else was edited there, and while the file as it was is
/// somewhere else; one without is, until one of `changes` touches its path.
[[nodiscard]] base::Result<std::vector<model::OpenConflict>> still_open(
    const std::vector<model::OpenConflict>& conflicts, git::ObjectStore& store,
    const git::ObjectId& tree, const std::vector<model::ChangeEntry>& changes);

}  // namespace clever::engine::internal
