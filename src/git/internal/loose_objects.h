#pragma once
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "git/object_id.h"
#include "git/tree_entry.h"

// Objects as git itself writes them, in an `objects` folder of ours.
namespace clever::git::internal {

/// Writes one; not synced.
[[nodiscard]] base::Result<void> write_loose_object(const std::filesystem::path& objects,
                                                    const ObjectId& id, ObjectKind kind,
                                                    std::string_view content);

/// Moves loose objects and packs from one folder to another of the same file system, and syncs the
/// names. What is there already stays as it is.
[[nodiscard]] base::Result<void> adopt_objects(const std::filesystem::path& from,
                                               const std::filesystem::path& to);

}  // namespace clever::git::internal
