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

/// The segments of one index folder, and how they come and go. A segment is written and synced
/// under its own name, then listed in the manifest, which is replaced in one step under a lock
/// between processes; a reader holds an immutable set. Files that no manifest lists and whose
/// writer is gone are removed.
///
/// Thread-safe. Readers never wait; writers wait for the manifest's lock.
class SegmentStore {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<SegmentStore>> open(
      const std::filesystem::path& folder);

  /// The segments in the manifest now; leaves out damaged ones, which repaired() reports.
  [[nodiscard]] std::shared_ptr<const SegmentSet> current();
  [[nodiscard]] std::string repaired() const;

  /// A file for a new segment; removed again unless it was added.
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

  /// Replaces `removed` by these in the manifest. `conflict`, without a change, if one of `removed`
  /// is no longer listed.
  [[nodiscard]] base::Result<std::shared_ptr<const SegmentSet>> replace(
      std::vector<NewSegment> added, const std::vector<std::string>& removed,
      const base::StopToken& stop = {});
  /// Verifies every byte of every segment, and removes unlisted files.
  [[nodiscard]] base::Result<void> verify(const base::StopToken& stop = {});

 private:
  struct State {
    std::shared_ptr<const SegmentSet> set = std::make_shared<SegmentSet>();
    /// The facts of the manifest's file when it was read.
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
