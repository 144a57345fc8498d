#pragma once
#include <cstdint>
#include <vector>

#include "context/internal/commit_table.h"

namespace clever::context::internal {

/// The commits (by index in the list) that `head` leads to, itself first, each before its parents
/// and otherwise the newest first. The order does not depend on the order of the list.
[[nodiscard]] std::vector<std::uint32_t> newest_first(const std::vector<Commit>& commits,
                                                      const git::ObjectId& head);

}  // namespace clever::context::internal
