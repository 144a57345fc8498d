#pragma once
#include <string>
#include <vector>

#include "base/sha256.h"
#include "plan/decide.h"
#include "plan/internal/draft.h"

namespace clever::plan {

/// The digest of no change at all.
[[nodiscard]] bool is_nothing(const base::Sha256Digest& digest) noexcept;

/// The plan's own changeset, which is sealed with the net of its work: a new one, if there is none
/// or it is sealed.
void open_changeset(Draft& draft);
/// The work is at another tree now; an empty one, or the same, changes nothing.
void move_work(Draft& draft, const std::string& tree, std::string why);

/// Of the open conflicts those that are not among `still_open` are resolved.
void resolve_conflicts(Draft& draft, const std::vector<std::string>& still_open);

}  // namespace clever::plan
