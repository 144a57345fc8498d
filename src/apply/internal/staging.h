#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "apply/internal/journal.h"
#include "apply/internal/preparation.h"
#include "apply/internal/repository.h"
#include "base/result.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// The staging folder for new files, in the project's own file system: in the git folder if that is
/// on it, else a folder at the root that git ignores.
[[nodiscard]] std::string staging_name(const io::Directory& root, const std::string& id);

/// Stages the new files as git would check them out, and writes their objects into the user's
/// repository. Used once, by one thread; all its references must outlive it.
class Staging {
 public:
  Staging(const Request& request, const io::Directory& root, const Repository* repository,
          const Beginning& beginning)
      : request_(request), root_(root), repository_(repository), beginning_(beginning) {}

  /// Fills in the final content of each operation. Syncs everything.
  base::Result<void> write_files(Prepared& prepared);
  /// For a commit without files.
  base::Result<void> write_objects();
  [[nodiscard]] std::vector<IndexEntry> entries() const;
  /// A name for our own index file.
  [[nodiscard]] std::filesystem::path index_path(std::string_view name) const;

 private:
  base::Result<void> make_folder();
  [[nodiscard]] base::Result<std::string> content_of(const model::NetChange& change) const;
  base::Result<void> write_plain(std::size_t index, const std::string& content);
  base::Result<void> check_out_files();
  base::Result<void> finish_file(std::size_t index, Prepared& prepared);
  [[nodiscard]] mode_t mode_for(std::size_t index, const Prepared& prepared) const;

  const Request& request_;
  const io::Directory& root_;
  const Repository* repository_;
  const Beginning& beginning_;
  mode_t umask_ = 0;
};

}  // namespace clever::apply::internal
