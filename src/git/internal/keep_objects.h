#pragma once
#include <filesystem>
#include <vector>

namespace clever::git::internal {

/// Gives the packs of the borrowed `objects` folders second names in `own`, so that they stay when
/// their first ones are removed. What cannot be linked (another file system, another's files) is
/// left where it is.
void keep_packs(const std::vector<std::filesystem::path>& borrowed,
                const std::filesystem::path& own);

/// The same for one of the 256 folders of loose objects, up to a number that git itself lets pile
/// up.
void keep_loose_folder(const std::filesystem::path& from, const std::filesystem::path& to);

/// The same for all loose objects, up to a number that git itself lets pile up.
void keep_loose_objects(const std::vector<std::filesystem::path>& borrowed,
                        const std::filesystem::path& own);

}  // namespace clever::git::internal
