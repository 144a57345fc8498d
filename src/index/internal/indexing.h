#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/atomic.h"
#include "base/deadline.h"
#include "base/guarded.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "index/code_index.h"
#include "index/corpus.h"
#include "index/internal/segment_builder.h"
#include "index/internal/segment_set.h"
#include "index/internal/segment_store.h"

namespace clever::index::internal {

/// The result of reading a file.
struct ReadFile {
  enum class How : std::uint8_t { kNotReached, kRead, kTooLarge, kFailed };
  How how = How::kNotReached;
  git::ObjectId blob{};
  /// Why it could not be read.
  std::string failure{};
};

/// One run that reads files of a corpus and writes their new contents into segments. Threads take
/// files one by one; each gathers its own segment, and writes it when its share of the memory is
/// used.
class Indexing {
 public:
  struct Job {
    const IndexOptions* options;
    Needs needs;
    SegmentStore* store;
    std::shared_ptr<const SegmentSet> known;
    Corpus* corpus;
    /// What to read.
    const std::vector<CorpusFile>* files;
  };
  explicit Indexing(Job job);

  /// Keeps finished segments, also after a stop. The written segments are not added yet.
  [[nodiscard]] base::Result<void> run(const std::function<void(const IndexProgress&)>& progress,
                                       const base::StopToken& stop, base::Deadline deadline);
  [[nodiscard]] std::vector<ReadFile> take_files() { return std::move(read_); }
  [[nodiscard]] std::vector<SegmentStore::NewSegment> take_segments();
  /// Whether vectors could not be made: then those documents have none.
  [[nodiscard]] bool embedding_failed() const { return embedding_failed_.load(); }

 private:
  class Worker;
  struct Shared {
    IndexProgress progress{};
    unsigned working = 0;
    std::vector<base::Error> errors{};
  };
  using Key = std::pair<git::ObjectId, syntax::Language>;
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      return std::hash<git::ObjectId>()(key.first) + static_cast<std::size_t>(key.second);
    }
  };

  [[nodiscard]] unsigned thread_count() const;
  void work(const base::StopToken& stop, base::Deadline deadline);
  [[nodiscard]] base::Result<void> follow(
      const std::function<void(const IndexProgress&)>& progress);

  // Constant after construction.
  const Job job_;
  // One per file; written by the thread that took the file, read after all have ended.
  std::vector<ReadFile> read_;
  // The next file; publishes nothing else.
  base::Atomic<std::size_t> next_{0};
  // Once true, no thread tries again; publishes nothing else.
  base::Atomic<bool> embedding_failed_{false};
  base::Guarded<std::unordered_set<Key, KeyHash>> claimed_;
  base::Guarded<std::vector<SegmentStore::NewSegment>> segments_;
  base::Monitor<Shared> shared_;
};

}  // namespace clever::index::internal
