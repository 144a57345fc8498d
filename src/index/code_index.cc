#include "index/code_index.h"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/guarded.h"
#include "base/monitor.h"
#include "index/internal/file_kinds.h"
#include "index/internal/indexing.h"
#include "index/internal/segment_merge.h"
#include "index/internal/segment_store.h"
#include "index/internal/stamp_cache.h"
#include "index/internal/stored_view.h"

namespace clever::index {
namespace {

using internal::FileState;
using internal::FileTable;
using internal::Indexing;
using internal::Needs;
using internal::Place;
using internal::ReadFile;
using internal::Segment;
using internal::SegmentSet;
using internal::SegmentStore;
using internal::StampCache;
using internal::StampRecord;
using internal::StoredView;

// Small segments, which edits make, are merged when there are more than this.
constexpr std::size_t kMostSmall = 16;
constexpr std::uint64_t kSmall = std::uint64_t{4} << 20U;
// This many segments of one build are merged at once, because every search reads each of them.
constexpr std::size_t kMany = 4;
constexpr int kMostRounds = 4;
// A file that changed this shortly before it was read may have changed again with the same time
// stamp.
constexpr std::int64_t kTooRecent = 100'000'000;
// Views that a later listing may start from, such as the last one of each plan.
constexpr std::size_t kMostRemembered = 64;

/// The files of a corpus, listed.
struct Listing {
  std::shared_ptr<const FileTable> table;
  std::vector<FileState> files;
  /// For each file its number in the earlier view, if that has the same content.
  std::shared_ptr<const StoredView> earlier;
  std::vector<std::uint32_t> same;
};
constexpr std::uint32_t kNew = 0xFFFFFFFFU;

/// A listing, and what the index knows about it.
struct Resolved {
  std::vector<Place> places;
  std::vector<FileKind> kinds;
  std::vector<FileNumber> missing;
};

FileKind kind_of(const internal::DocumentRecord& record) {
  return static_cast<FileKind>(record.kind);
}

class StoredIndex final : public CodeIndex {
 public:
  StoredIndex(IndexOptions options, std::unique_ptr<SegmentStore> store)
      : options_(std::move(options)),
        needs_{.syntax = !options_.text_only,
               .embedder = options_.text_only || options_.embedder == nullptr
                               ? std::string()
                               : options_.embedder->name()},
        store_(std::move(store)),
        stamps_(options_.folder / "stamps") {}

  base::Result<std::shared_ptr<const View>> view(
      std::shared_ptr<Corpus> corpus, const std::function<void(const IndexProgress&)>& progress,
      const base::StopToken& stop, base::Deadline deadline) override {
    CLEVER_ASSIGN(Listing listing, list(*corpus, stop));
    Needs needs = needs_;
    auto set = store_->current();
    Resolved resolved = resolve(listing, *set, needs);
    if (!resolved.missing.empty()) {
      const Turn turn(turns_);
      CLEVER_TRY(turn.begin(stop, deadline));
      if (auto newer = store_->current(); newer != set) {
        set = std::move(newer);
        resolved = resolve(listing, *set, needs);
      }
      // Another process may drop a file that was found a moment ago; it is read again, too.
      for (int round = 0; round < kMostRounds && !resolved.missing.empty(); ++round) {
        CLEVER_ASSIGN(const bool embedded,
                      read_missing(listing, resolved, *corpus, set, progress, stop, deadline));
        if (!embedded) needs.embedder.clear();
        CLEVER_ASSIGN(set, merge_small(std::move(set), stop));
        resolved = resolve(listing, *set, needs);
      }
    }
    return make_view(std::move(corpus), std::move(listing), std::move(resolved), std::move(set));
  }

  IndexStats stats() const override {
    const auto set = store_->current();
    IndexStats stats{.segments = set->segments.size(), .repaired = store_->repaired()};
    std::unordered_set<git::ObjectId> blobs;
    for (const auto& segment : set->segments) {
      stats.bytes_on_disk += segment->bytes();
      for (internal::DocumentNumber i = 0; i < segment->size(); ++i) blobs.insert(segment->blob(i));
    }
    stats.blobs = blobs.size();
    return stats;
  }

  base::Result<void> tidy(const base::StopToken& stop) override {
    const Turn turn(turns_);
    CLEVER_TRY(turn.begin(stop, base::Deadline::never()));
    CLEVER_TRY(store_->verify(stop));
    CLEVER_TRY(forget_and_merge(stop));
    return stamps_.tidy();
  }

 private:
  /// One build at a time: a waiting caller finds what the other indexed.
  class Turn {
   public:
    explicit Turn(base::Monitor<bool>& taken) : taken_(taken) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      if (held_) taken_.update([](bool& taken) { taken = false; });
    }
    base::Result<void> begin(const base::StopToken& stop, base::Deadline deadline) const {
      CLEVER_TRY(taken_.update_when(
          stop, deadline, [](const bool& taken) { return !taken; },
          [](bool& taken) { taken = true; }));
      held_ = true;
      return {};
    }

   private:
    base::Monitor<bool>& taken_;
    mutable bool held_ = false;
  };

  struct Recent {
    /// The newest view is kept; others live as long as their users; newest first.
    std::shared_ptr<const StoredView> newest{};
    std::deque<std::weak_ptr<const StoredView>> views{};
    /// What the last views use is not dropped.
    std::deque<std::vector<git::ObjectId>> used{};
  };

  // ---- listing ----

  base::Result<Listing> list(Corpus& corpus, const base::StopToken& stop) {
    const auto recent = recent_.with(
        [](const Recent& now) { return Recent{.newest = now.newest, .views = now.views}; });
    for (const auto& one : recent.views) {
      const auto earlier = one.lock();
      if (!earlier) continue;
      CLEVER_ASSIGN(auto changes, corpus.changes_since(*earlier->parts().corpus, stop));
      if (changes) return change_listing(earlier, std::move(*changes));
    }
    CLEVER_ASSIGN(std::vector<CorpusFile> files, corpus.files(stop));
    return split(std::move(files), recent.newest);
  }

  static Listing split(std::vector<CorpusFile> files,
                       const std::shared_ptr<const StoredView>& earlier) {
    Listing listing;
    std::vector<std::string> paths;
    paths.reserve(files.size());
    listing.files.reserve(files.size());
    for (CorpusFile& file : files) {
      listing.files.push_back({file.blob.value_or(git::ObjectId()), file.stamp});
      paths.push_back(std::move(file.path));
    }
    const bool same_paths = earlier && earlier->parts().table->paths() == paths;
    listing.table =
        same_paths ? earlier->parts().table : std::make_shared<const FileTable>(std::move(paths));
    return listing;
  }

  static Listing change_listing(const std::shared_ptr<const StoredView>& earlier,
                                std::vector<CorpusChange> changes) {
    Listing listing{.table = earlier->parts().table,
                    .files = earlier->parts().files,
                    .earlier = earlier,
                    .same = std::vector<std::uint32_t>(earlier->size())};
    for (std::uint32_t i = 0; i < listing.same.size(); ++i) listing.same[i] = i;
    std::vector<bool> removed(earlier->size());
    std::vector<CorpusFile> added;
    for (CorpusChange& change : changes) {
      const auto number = listing.table->find(change.path);
      if (number && change.after) {
        listing.files[*number] = {change.after->blob.value_or(git::ObjectId()),
                                  change.after->stamp};
        listing.same[*number] = kNew;
      } else if (number) {
        removed[*number] = true;
      } else if (change.after) {
        added.push_back(std::move(*change.after));
      }
    }
    const bool same_paths = added.empty() && std::ranges::find(removed, true) == removed.end();
    return same_paths ? listing : rebuilt(listing, removed, std::move(added));
  }

  // The paths differ from those before.
  static Listing rebuilt(const Listing& before, const std::vector<bool>& removed,
                         std::vector<CorpusFile> added) {
    std::ranges::sort(added, {}, &CorpusFile::path);
    Listing listing{.table = nullptr, .files = {}, .earlier = before.earlier, .same = {}};
    std::vector<std::string> paths;
    auto next = added.begin();
    const auto add_until = [&](const std::string* limit) {
      for (; next != added.end() && (limit == nullptr || next->path < *limit); ++next) {
        listing.files.push_back({next->blob.value_or(git::ObjectId()), next->stamp});
        listing.same.push_back(kNew);
        paths.push_back(std::move(next->path));
      }
    };
    for (std::uint32_t i = 0; i < before.files.size(); ++i) {
      const std::string& path = before.table->paths()[i];
      add_until(&path);
      if (removed[i]) continue;
      listing.files.push_back(before.files[i]);
      listing.same.push_back(before.same[i]);
      paths.push_back(path);
    }
    add_until(nullptr);
    listing.table = std::make_shared<const FileTable>(std::move(paths));
    return listing;
  }

  // ---- what is known ----

  // Where the segments of an earlier view are now.
  static std::vector<std::uint32_t> moved(const Listing& listing, const SegmentSet& set) {
    std::vector<std::uint32_t> numbers;
    if (!listing.earlier) return numbers;
    for (const auto& segment : listing.earlier->parts().set->segments) {
      const auto found = std::ranges::find(set.segments, segment);
      numbers.push_back(found == set.segments.end()
                            ? Place::kNowhere
                            : static_cast<std::uint32_t>(found - set.segments.begin()));
    }
    return numbers;
  }

  Resolved resolve(Listing& listing, const SegmentSet& set, const Needs& needs) {
    const std::vector<std::uint32_t> segments = moved(listing, set);
    const StampCache::Lookup stamps = stamps_.lookup();
    const std::size_t count = listing.files.size();
    Resolved resolved{std::vector<Place>(count), std::vector<FileKind>(count), {}};
    for (FileNumber file = 0; file < count; ++file) {
      const std::uint32_t same = listing.same.empty() ? kNew : listing.same[file];
      if (same != kNew) {
        resolved.kinds[file] = listing.earlier->parts().kinds[same];
        const Place place = listing.earlier->parts().places[same];
        if (!place.somewhere() && resolved.kinds[file] != FileKind::kSource) continue;
        if (place.somewhere() && segments[place.segment] != Place::kNowhere) {
          resolved.places[file] = {segments[place.segment], place.document};
          continue;
        }
      }
      resolve_one(listing, file, set, needs, stamps, resolved);
    }
    return resolved;
  }

  void resolve_one(Listing& listing, FileNumber file, const SegmentSet& set, const Needs& needs,
                   const StampCache::Lookup& stamps, Resolved& resolved) const {
    const std::string& path = listing.table->paths()[file];
    FileState& state = listing.files[file];
    FileKind& kind = resolved.kinds[file];
    if (!state.blob) state.blob = stamps.find(state.stamp).value_or(git::ObjectId());
    if (internal::is_vendored(path)) {
      kind = FileKind::kVendored;
      return;
    }
    if (state.stamp.size > options_.largest_file) {
      kind = FileKind::kTooLarge;
      return;
    }
    if (state.blob) {
      const Place place = set.find(state.blob, syntax::language_of(path), needs);
      if (place.somewhere()) {
        resolved.places[file] = place;
        kind = kind_of(set.segments[place.segment]->document(place.document));
        return;
      }
    }
    resolved.missing.push_back(file);
  }

  // ---- what is new ----

  // Returns false if vectors could not be made.
  base::Result<bool> read_missing(Listing& listing, const Resolved& resolved, Corpus& corpus,
                                  std::shared_ptr<const SegmentSet>& set,
                                  const std::function<void(const IndexProgress&)>& progress,
                                  const base::StopToken& stop, base::Deadline deadline) {
    if (resolved.missing.empty()) return true;
    std::vector<CorpusFile> files;
    for (const FileNumber file : resolved.missing) {
      CorpusFile& one = files.emplace_back();
      one.path = listing.table->paths()[file];
      one.stamp = listing.files[file].stamp;
      // A file without a stamp is identified by its blob; a folder's file gets its blob when it is
      // read.
      if (one.stamp == CorpusFile::Stamp{}) one.blob = listing.files[file].blob;
    }
    Indexing indexing({&options_, needs_, store_.get(), set, &corpus, &files});
    const auto ended = indexing.run(progress, stop, deadline);
    auto segments = indexing.take_segments();
    std::set<std::string> added;
    for (const auto& segment : segments) added.insert(segment.path().filename().string());
    // Keeps what was finished before a stop, too.
    if (!segments.empty()) {
      CLEVER_ASSIGN(set, store_->replace(std::move(segments), {}));
    }
    CLEVER_TRY(settle(listing, resolved.missing, indexing.take_files()));
    CLEVER_TRY(ended);
    if (added.size() >= kMany) {
      CLEVER_ASSIGN(set, merge_those(added, *set, stop));
    }
    return !indexing.embedding_failed();
  }

  // Records the contents of the files, and drops those that could not be read.
  base::Result<void> settle(Listing& listing, const std::vector<FileNumber>& missing,
                            std::vector<ReadFile> read) {
    std::vector<StampRecord> stamps;
    std::vector<bool> removed(listing.files.size());
    const std::int64_t now = wall_now();
    for (std::size_t i = 0; i < missing.size(); ++i) {
      FileState& state = listing.files[missing[i]];
      if (read[i].how == ReadFile::How::kFailed) {
        remark("left out of the index", listing.table->paths()[missing[i]], read[i].failure);
        removed[missing[i]] = true;
      }
      if (read[i].how == ReadFile::How::kTooLarge && !read[i].blob) {
        state.stamp.size = options_.largest_file + 1;  // it has grown since it was listed
      }
      if (!read[i].blob) continue;
      state.blob = read[i].blob;
      const bool has_stamp = state.stamp != CorpusFile::Stamp{};
      if (has_stamp && state.stamp.changed_ns + kTooRecent < now) {
        stamps.push_back({state.stamp, state.blob});
      }
    }
    if (std::ranges::find(removed, true) != removed.end()) {
      if (listing.same.empty()) listing.same.assign(listing.files.size(), kNew);
      listing = rebuilt(listing, removed, {});
    }
    return stamps_.add(std::move(stamps));
  }

  [[nodiscard]] std::int64_t wall_now() const {
    const base::WallTime now =
        options_.clock != nullptr ? options_.clock->wall_now() : base::SystemClock().wall_now();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
  }

  void remark(std::string_view what, std::string_view path, std::string_view why) const {
    if (options_.logger != nullptr) {
      options_.logger->warning(what, {{"path", path}, {"why", why}});
    }
  }

  // ---- fewer segments ----

  base::Result<std::shared_ptr<const SegmentSet>> merge_small(std::shared_ptr<const SegmentSet> set,
                                                              const base::StopToken& stop) {
    std::vector<std::shared_ptr<const Segment>> small;
    for (const auto& segment : set->segments) {
      if (segment->bytes() < kSmall && segment->embedder() == needs_.embedder) {
        small.push_back(segment);
      }
    }
    if (small.size() <= kMostSmall) return set;
    return merge(small, [](const internal::DocumentRecord&) { return true; }, stop);
  }

  base::Result<std::shared_ptr<const SegmentSet>> merge_those(const std::set<std::string>& names,
                                                              const SegmentSet& set,
                                                              const base::StopToken& stop) {
    std::vector<std::shared_ptr<const Segment>> segments;
    for (const auto& segment : set.segments) {
      if (names.contains(segment->name())) segments.push_back(segment);
    }
    if (segments.size() < 2) return store_->current();
    return merge(segments, [](const internal::DocumentRecord&) { return true; }, stop);
  }

  base::Result<std::shared_ptr<const SegmentSet>> merge(
      const std::vector<std::shared_ptr<const Segment>>& segments,
      const std::function<bool(const internal::DocumentRecord&)>& keeps,
      const base::StopToken& stop) {
    CLEVER_ASSIGN(SegmentStore::NewSegment merged, store_->create());
    CLEVER_TRY(internal::merge_segments(segments, keeps, merged.path(), stop));
    std::vector<SegmentStore::NewSegment> added;
    added.push_back(std::move(merged));
    std::vector<std::string> removed;
    for (const auto& segment : segments) removed.push_back(segment->name());
    auto replaced = store_->replace(std::move(added), removed, stop);
    // Another process merged some of them meanwhile, which serves as well.
    if (!replaced.ok() && replaced.error().code() == base::ErrorCode::kConflict) {
      return store_->current();
    }
    return replaced;
  }

  // Merges all segments of this embedder, if there are several or half of the entries are unused.
  base::Result<void> forget_and_merge(const base::StopToken& stop) {
    const auto set = store_->current();
    const auto used = used_blobs();
    std::vector<std::shared_ptr<const Segment>> segments;
    std::size_t documents = 0;
    std::size_t wanted = 0;
    for (const auto& segment : set->segments) {
      if (segment->embedder() != needs_.embedder) continue;
      segments.push_back(segment);
      documents += segment->size();
      for (internal::DocumentNumber i = 0; i < segment->size(); ++i) {
        wanted += used.contains(segment->blob(i)) ? 1 : 0;
      }
    }
    const bool forgets = !used.empty() && wanted * 2 < documents;
    if (segments.size() < 2 && !forgets) return {};
    const auto keeps = [&](const internal::DocumentRecord& record) {
      return !forgets || used.contains(git::ObjectId(record.blob));
    };
    CLEVER_TRY(merge(segments, keeps, stop));
    return {};
  }

  [[nodiscard]] std::unordered_set<git::ObjectId> used_blobs() const {
    const auto lists = recent_.with([](const Recent& recent) { return recent.used; });
    std::unordered_set<git::ObjectId> used;
    for (const auto& list : lists) used.insert(list.begin(), list.end());
    return used;
  }

  std::shared_ptr<const View> make_view(std::shared_ptr<Corpus> corpus, Listing listing,
                                        Resolved resolved, std::shared_ptr<const SegmentSet> set) {
    auto view =
        std::make_shared<const StoredView>(StoredView::Parts{.corpus = std::move(corpus),
                                                             .table = std::move(listing.table),
                                                             .files = std::move(listing.files),
                                                             .set = std::move(set),
                                                             .places = std::move(resolved.places),
                                                             .kinds = std::move(resolved.kinds),
                                                             .largest_file = options_.largest_file,
                                                             .embedder = needs_.embedder});
    std::vector<git::ObjectId> used;
    used.reserve(view->size());
    for (const FileState& state : view->parts().files) used.push_back(state.blob);
    // Dropped outside the lock: the last view of a segment unmaps its file.
    std::shared_ptr<const StoredView> dropped;
    recent_.with([&](Recent& recent) {
      dropped = std::exchange(recent.newest, view);
      recent.views.push_front(view);
      if (recent.views.size() > kMostRemembered) recent.views.pop_back();
      recent.used.push_front(std::move(used));
      if (recent.used.size() > options_.keep) recent.used.pop_back();
    });
    return view;
  }

  // Constant after construction.
  const IndexOptions options_;
  const Needs needs_;
  const std::unique_ptr<SegmentStore> store_;

  StampCache stamps_;
  base::Guarded<Recent> recent_;
  // True while a build runs.
  base::Monitor<bool> turns_;
};

}  // namespace

base::Result<std::unique_ptr<CodeIndex>> CodeIndex::open(IndexOptions options) {
  CLEVER_ASSIGN(auto store, SegmentStore::open(options.folder));
  return std::unique_ptr<CodeIndex>(
      std::make_unique<StoredIndex>(std::move(options), std::move(store)));
}

}  // namespace clever::index
