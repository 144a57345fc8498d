#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/object_id.h"
#include "git/tree_entry.h"
#include "io/directory.h"

// Objects as git itself writes them, in an `objects` folder of ours.
namespace clever::git::internal {

/// Writes one; not synced.
[[nodiscard]] base::Result<void> write_loose_object(const std::filesystem::path& objects,
                                                    const ObjectId& id, ObjectKind kind,
                                                    std::string_view content);

struct LooseObject {
  ObjectKind kind = ObjectKind::kBlob;
  std::string content{};
};

/// One of the folder `objects` of a repository that others may write into: nothing is followed, and
/// nothing but a plain file is opened. `corruption` if it is not what its name says, or larger than
/// the limit.
[[nodiscard]] base::Result<LooseObject> read_loose_object(const io::Directory& repository,
                                                          const ObjectId& id, std::size_t limit);

/// Moves loose objects and packs from one folder to another of the same file system, and syncs the
/// names. What is there already stays as it is.
[[nodiscard]] base::Result<void> adopt_objects(const std::filesystem::path& from,
                                               const std::filesystem::path& to);

}  // namespace clever::git::internal
