#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "plan/command.h"

namespace clever::engine {

/// What a person leaves of a plan's changes.
struct ChosenWork {
  git::ObjectId tree;
  /// Of what could be chosen: hunks, and what changed beside lines.
  std::int64_t kept = 0;
  std::int64_t dropped = 0;
};

/// `base` with only the kept parts of its difference to `tree` (diff::choices_of()), and with the
/// files that the person wrote in place of theirs; the name and mode of such a file follow from
/// what is kept of it. New objects are in the store's memory. `conflict` names a part that is not
/// there, with how many are, and a file that was edited and is none of the plan's.
[[nodiscard]] base::Result<ChosenWork> choose_work(git::ObjectStore& store,
                                                   const git::ObjectId& base,
                                                   const git::ObjectId& tree,
                                                   const std::vector<std::string>& keep,
                                                   const std::vector<plan::Choose::Edit>& edits,
                                                   const base::StopToken& stop = {});

}  // namespace clever::engine
