#pragma once
#include <string>
#include <vector>

#include "base/sha256.h"
#include "plan/decide.h"
#include "plan/internal/draft.h"

namespace clever::plan {

/// The digest of no change at all.
[[nodiscard]] bool is_nothing(const base::Sha256Digest& digest) noexcept;

/// Ensures that the plan has an open changeset of its own, which is sealed with the net of its
/// work.
void open_changeset(Draft& draft);
/// Moves the work to another tree; ignores an empty one, or the same.
void move_work(Draft& draft, const std::string& tree, std::string why);

/// Of the open conflicts those that are not among `still_open` are resolved.
void resolve_conflicts(Draft& draft, const std::vector<std::string>& still_open);

}  // namespace clever::plan
