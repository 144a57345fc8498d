#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "index/internal/manifest.h"
#include "index/internal/segment_set.h"
#include "io/directory.h"
#include "io/file_lock.h"

namespace clever::index::internal {

/// The segments of one index folder: which there are, and how they come and go. A segment is
/// written and synced under a name of its own, then named in the manifest, which is replaced in one
/// step under a lock between processes; a reader holds a set that never changes. A file that no
/// manifest names and whose writer is gone is removed.
///
/// Thread-safe. Nobody waits to read; whoever adds or removes waits for the manifest's lock.
class SegmentStore {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<SegmentStore>> open(
      const std::filesystem::path& folder);

  /// What the manifest names now; what is damaged is left out, and said by repaired().
  [[nodiscard]] std::shared_ptr<const SegmentSet> current();
  [[nodiscard]] std::string repaired() const;

  /// A file to write a segment into; removed again unless it was added.
  class NewSegment {
   public:
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    NewSegment(NewSegment&& other) noexcept
        : lock_(std::move(other.lock_)), path_(std::exchange(other.path_, {})) {}
    NewSegment& operator=(NewSegment&&) = delete;
    ~NewSegment();

   private:
    friend class SegmentStore;
    NewSegment(io::FileLock lock, std::filesystem::path path)
        : lock_(std::move(lock)), path_(std::move(path)) {}
    io::FileLock lock_;
    std::filesystem::path path_;
  };
  [[nodiscard]] base::Result<NewSegment> create();

  /// Names them in the manifest instead of `removed`. `conflict`, and nothing done, if one of those
  /// is not there any more.
  [[nodiscard]] base::Result<std::shared_ptr<const SegmentSet>> replace(
      std::vector<NewSegment> added, const std::vector<std::string>& removed,
      const base::StopToken& stop = {});
  /// Verifies every byte of every segment, and removes files that nobody names.
  [[nodiscard]] base::Result<void> verify(const base::StopToken& stop = {});

 private:
  struct State {
    std::shared_ptr<const SegmentSet> set = std::make_shared<SegmentSet>();
    /// Of the manifest's file when it was read.
    std::optional<io::EntryFacts> read{};
    std::set<std::string> damaged{};
    std::string repaired{};
  };

  SegmentStore(std::filesystem::path folder, io::Directory directory)
      : folder_(std::move(folder)), directory_(std::move(directory)) {}
  [[nodiscard]] Manifest read_manifest();
  [[nodiscard]] std::shared_ptr<const SegmentSet> load();
  [[nodiscard]] std::shared_ptr<const Segment> open_segment(const Manifest::Entry& entry);
  void note_damage(const std::string& name, const std::string& why);
  void remove_orphans(const Manifest& manifest);

  // Constant after construction.
  const std::filesystem::path folder_;
  const io::Directory directory_;

  base::Guarded<State> state_;
};

}  // namespace clever::index::internal
