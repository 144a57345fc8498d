#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_id.h"
#include "git/object_store.h"
#include "git/project.h"

namespace clever::index {

/// A file of a corpus. `blob` names its content; a folder's file has a stamp instead, which changes
/// with the file.
struct CorpusFile {
  std::string path{};
  std::optional<git::ObjectId> blob{};
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;
    friend auto operator<=>(const Stamp&, const Stamp&) = default;
  };
  Stamp stamp{};
};

/// The change of one path; `after` is none if it is no longer a file.
struct CorpusChange {
  std::string path{};
  std::optional<CorpusFile> after{};
};

/// Files that are indexed and searched together, at one moment: a tree of git, or a folder.
/// Thread-safe.
class Corpus {
 public:
  virtual ~Corpus() = default;
  /// Regular files only, sorted by path (bytes), without ignored files. Does not follow links.
  [[nodiscard]] virtual base::Result<std::vector<CorpusFile>> files(
      const base::StopToken& stop) = 0;
  /// The differences from an earlier corpus, sorted by path, if they are cheaper to find than
  /// files().
  [[nodiscard]] virtual base::Result<std::optional<std::vector<CorpusChange>>> changes_since(
      const Corpus& earlier, const base::StopToken& stop);
  /// At most `largest` bytes: a longer file is `resource_exhausted`. Reads a folder's file again, a
  /// few times, if it changed during the read; `conflict` if it keeps changing.
  [[nodiscard]] virtual base::Result<std::string> read(const CorpusFile& file,
                                                       std::size_t largest) = 0;
};

/// All files of a tree. For a workspace: `tree_corpus(workspace.store(), workspace.tree())`, which
/// sees the latest changes.
[[nodiscard]] std::unique_ptr<Corpus> tree_corpus(std::shared_ptr<git::ObjectStore> store,
                                                  const git::ObjectId& tree);
/// The project's own folder, read-only: tracked files, and new files that are not ignored; a plain
/// folder by its own .gitignore files. Without the files that Project::secrets hides.
[[nodiscard]] std::unique_ptr<Corpus> folder_corpus(git::Project project);

}  // namespace clever::index
