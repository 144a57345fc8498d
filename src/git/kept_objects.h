#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <vector>

#include "base/guarded.h"

namespace clever::git {

/// Hard links to the loose objects of repositories, in one place for all stores that borrow from
/// them, so that a plan's base stays readable after the user's git has pruned it. Objects that
/// cannot be linked (another file system, another owner) stay where they are.
///
/// Owned by the opener of the stores. Thread-safe. A failure only means that fewer objects are
/// kept.
class KeptObjects {
 public:
  /// The folder is created on demand.
  explicit KeptObjects(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Links new objects of one repository's `objects` folders. Returns the `objects` folder that has
  /// them all, to borrow from as well. Costs 256 looks per folder if nothing is new.
  [[nodiscard]] std::filesystem::path keep(const std::vector<std::filesystem::path>& borrowed);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  /// When each of the 256 folders of loose objects had last changed when it was linked.
  using Times = std::array<std::filesystem::file_time_type, 256>;

  [[nodiscard]] static Times link_new(const std::filesystem::path& from,
                                      const std::filesystem::path& to, Times seen);

  // Constant after construction.
  const std::filesystem::path folder_;
  // Guarded.
  base::Guarded<std::map<std::filesystem::path, Times>> seen_;
};

}  // namespace clever::git
