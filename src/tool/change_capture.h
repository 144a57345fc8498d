#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "model/change.h"

namespace clever::tool {

/// Whose changes are recorded, and when.
struct ChangeOrigin {
  std::string tool;
  model::DecisionId decision{};
  model::Timestamp time{};
};

/// What differs between two trees, by path: a file that vanished while one with the same content
/// and mode appeared is a move. Reads only what differs.
[[nodiscard]] base::Result<std::vector<model::ChangeEntry>> changes_between(
    git::ObjectStore& store, const git::ObjectId& before, const git::ObjectId& after,
    const ChangeOrigin& origin);

}  // namespace clever::tool
