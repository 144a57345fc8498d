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

/// A file of a corpus. `blob` names its content; a file of a folder has a stamp instead, which
/// changes when the file does.
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

/// What became of one path; `after` is none if it is no file any more.
struct CorpusChange {
  std::string path{};
  std::optional<CorpusFile> after{};
};

/// Files that are indexed and searched together, as they are at one moment: a tree of git, or a
/// folder. Thread-safe.
class Corpus {
 public:
  virtual ~Corpus() = default;
  /// Regular files only, sorted by path (bytes), without what git ignores. Links are not followed.
  [[nodiscard]] virtual base::Result<std::vector<CorpusFile>> files(
      const base::StopToken& stop) = 0;
  /// What differs from an earlier corpus, sorted by path, if that is cheaper to say than files().
  [[nodiscard]] virtual base::Result<std::optional<std::vector<CorpusChange>>> changes_since(
      const Corpus& earlier, const base::StopToken& stop);
  /// At most `largest` bytes: a longer file is `resource_exhausted`. A file of a folder that
  /// changed while it was read is read again, a few times; `conflict` if it never holds still.
  [[nodiscard]] virtual base::Result<std::string> read(const CorpusFile& file,
                                                       std::size_t largest) = 0;
};

/// Whatever is in a tree; of a workspace: `tree_corpus(workspace.store(), workspace.tree())`, which
/// sees what was changed a moment ago.
[[nodiscard]] std::unique_ptr<Corpus> tree_corpus(std::shared_ptr<git::ObjectStore> store,
                                                  const git::ObjectId& tree);
/// The project's own folder, untouched: what git tracks and what is new and not ignored; a plain
/// folder by its own .gitignore files. Without the files that Project::secrets hides.
[[nodiscard]] std::unique_ptr<Corpus> folder_corpus(git::Project project);

}  // namespace clever::index
