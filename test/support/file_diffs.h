#pragma once
#include <string>

#include "diff/text_diff.h"
#include "diff/tree_diff.h"

namespace clever::test {

/// The diff of a plain file that had one content and has another.
inline diff::FileDiff file_diff(const std::string& path, const std::string& before,
                                const std::string& after) {
  const git::Node node{git::FileMode::kFile, {}};
  return {.path = path,
          .before = node,
          .after = node,
          .old_size = before.size(),
          .new_size = after.size(),
          .hunks = diff::hunks_of(path, before, after)};
}

}  // namespace clever::test
