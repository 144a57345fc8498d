#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "model/change.h"

namespace clever::tool {

/// The origin and time of the recorded changes.
struct ChangeOrigin {
  std::string tool;
  model::DecisionId decision{};
  model::Timestamp time{};
};

/// The differences between two trees, by path: a file that vanished while one with the same content
/// and mode appeared is a move. Reads only what differs.
[[nodiscard]] base::Result<std::vector<model::ChangeEntry>> changes_between(
    git::ObjectStore& store, const git::ObjectId& before, const git::ObjectId& after,
    const ChangeOrigin& origin);

}  // namespace clever::tool
