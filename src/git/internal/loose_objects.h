#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/object_id.h"
#include "git/tree_entry.h"
#include "io/directory.h"

// Objects in git's own format, in an `objects` folder of ours.
namespace clever::git::internal {

/// Writes one; not synced.
[[nodiscard]] base::Result<void> write_loose_object(const std::filesystem::path& objects,
                                                    const ObjectId& id, ObjectKind kind,
                                                    std::string_view content);

struct LooseObject {
  ObjectKind kind = ObjectKind::kBlob;
  std::string content{};
};

/// Reads one from the `objects` folder of a repository that others may write to: follows no link,
/// and opens only regular files. `corruption` if it does not match its name, or is larger than the
/// limit.
[[nodiscard]] base::Result<LooseObject> read_loose_object(const io::Directory& repository,
                                                          const ObjectId& id, std::size_t limit);

/// Moves loose objects and packs between two folders of one file system, and syncs the names. Keeps
/// existing ones.
[[nodiscard]] base::Result<void> adopt_objects(const std::filesystem::path& from,
                                               const std::filesystem::path& to);

}  // namespace clever::git::internal
