#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <vector>

#include "base/guarded.h"

namespace clever::git {

/// Second names (hard links) for the loose objects of repositories, in one place for all stores
/// that borrow from them: what a plan started from can be read also after the user's git has pruned
/// it. What cannot be linked (another file system, another's files) is left where it is.
///
/// Owned by who opens the stores. Thread-safe. Fails by keeping less.
class KeptObjects {
 public:
  /// Made when there is something to keep.
  explicit KeptObjects(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Links what is new in these `objects` folders of one repository. The `objects` folder that has
  /// all of it, to be borrowed from as well. Where nothing is new it costs 256 looks per folder.
  [[nodiscard]] std::filesystem::path keep(const std::vector<std::filesystem::path>& borrowed);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  /// When each of the 256 folders of loose objects was changed last, of those that were linked.
  using Times = std::array<std::filesystem::file_time_type, 256>;

  [[nodiscard]] static Times link_new(const std::filesystem::path& from,
                                      const std::filesystem::path& to, Times seen);

  // Constant after construction.
  const std::filesystem::path folder_;
  // Guarded.
  base::Guarded<std::map<std::filesystem::path, Times>> seen_;
};

}  // namespace clever::git
