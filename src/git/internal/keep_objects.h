#pragma once
#include <filesystem>
#include <vector>

namespace clever::git::internal {

/// Hard-links the packs of the borrowed `objects` folders into `own`, so that they survive the
/// removal of their first names. Packs that cannot be linked (another file system, another owner)
/// stay where they are.
void keep_packs(const std::vector<std::filesystem::path>& borrowed,
                const std::filesystem::path& own);

/// The same for one of the 256 folders of loose objects, up to the number at which git packs them.
void keep_loose_folder(const std::filesystem::path& from, const std::filesystem::path& to);

/// The same for all loose objects, up to the number at which git packs them.
void keep_loose_objects(const std::vector<std::filesystem::path>& borrowed,
                        const std::filesystem::path& own);

}  // namespace clever::git::internal
