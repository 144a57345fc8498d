#include "index/internal/segment_store.h"

#include <algorithm>
#include <utility>

#include "base/crash_point.h"
#include "base/random.h"
#include "io/file.h"
#include "io/file_names.h"

namespace clever::index::internal {
namespace {

constexpr const char* kManifest = "manifest";
constexpr const char* kLock = "lock";
constexpr std::string_view kSegmentPrefix = "segment-";
constexpr int kMostLoads = 20;
constexpr int kMostNamesTried = 100;

bool is_ahead(const std::shared_ptr<const Segment>& left,
              const std::shared_ptr<const Segment>& right) {
  return left->bytes() != right->bytes() ? left->bytes() > right->bytes()
                                         : left->name() < right->name();
}

}  // namespace

SegmentStore::NewSegment::~NewSegment() {
  // A segment that was not added is garbage; if the removal fails, a later open() removes it.
  if (!path_.empty()) (void)io::remove_file(path_);
}

base::Result<std::unique_ptr<SegmentStore>> SegmentStore::open(
    const std::filesystem::path& folder) {
  CLEVER_TRY(io::make_directories(folder));
  CLEVER_ASSIGN(io::Directory directory, io::Directory::open(folder));
  std::unique_ptr<SegmentStore> store(new SegmentStore(folder, std::move(directory)));
  if (const auto lock = io::FileLock::try_acquire(folder / kLock); lock.ok()) {
    store->remove_orphans(store->read_manifest());
  }
  (void)store->current();
  return store;
}

Manifest SegmentStore::read_manifest() {
  const auto text = io::read_file(folder_ / kManifest);
  if (!text.ok()) {
    if (text.error().code() != base::ErrorCode::kNotFound) {
      note_damage(kManifest, text.error().message());
    }
    return {};
  }
  auto manifest = parse_manifest(*text);
  if (manifest.ok()) return std::move(manifest).value();
  note_damage(kManifest, manifest.error().message());
  return {};
}

void SegmentStore::note_damage(const std::string& name, const std::string& why) {
  state_.with([&](State& state) {
    if (!state.damaged.insert(name).second) return;
    state.repaired += (state.repaired.empty() ? "" : "; ") + why;
  });
}

std::string SegmentStore::repaired() const {
  return state_.with([](const State& state) { return state.repaired; });
}

std::shared_ptr<const SegmentSet> SegmentStore::current() {
  const auto facts = directory_.facts(kManifest);
  const auto known = state_.with([&](const State& state) {
    const bool same = facts.ok() && state.read == *facts;
    return same ? state.set : std::shared_ptr<const SegmentSet>{};
  });
  return known ? known : load();
}

std::shared_ptr<const SegmentSet> SegmentStore::load() {
  // Another process may merge a segment away after the manifest is read and before the segment is:
  // then the manifest has changed, and is read again. Compares the content of the manifest, not its
  // file facts: two manifests in quick succession may share a number and a time.
  for (int turn = 0; turn < kMostLoads; ++turn) {
    const auto facts = directory_.facts(kManifest);
    const Manifest manifest = read_manifest();
    auto set = std::make_shared<SegmentSet>();
    for (const Manifest::Entry& entry : manifest.segments) {
      if (auto segment = open_segment(entry)) set->segments.push_back(std::move(segment));
    }
    std::ranges::sort(set->segments, is_ahead);
    const bool whole = set->segments.size() == manifest.segments.size();
    if (!whole && read_manifest() != manifest) continue;
    state_.with([&](State& state) {
      state.set = set;
      state.read = facts.ok() ? std::optional(*facts) : std::nullopt;
    });
    return set;
  }
  // Other processes replace the segments faster than they can be read: missing files are indexed
  // again.
  return std::make_shared<SegmentSet>();
}

std::shared_ptr<const Segment> SegmentStore::open_segment(const Manifest::Entry& entry) {
  struct Known {
    std::shared_ptr<const Segment> open;
    bool damaged;
  };
  const Known known = state_.with([&](const State& state) {
    const auto found = std::ranges::find(state.set->segments, entry.name, &Segment::name);
    return Known{found == state.set->segments.end() ? nullptr : *found,
                 state.damaged.contains(entry.name)};
  });
  if (known.damaged) return nullptr;
  if (known.open) return known.open;
  const auto now = manifest_entry(directory_, entry.name);
  const bool untouched = now.ok() && *now == entry;
  auto segment = Segment::open(folder_ / entry.name,
                               untouched ? Segment::Verify::kShape : Segment::Verify::kEverything);
  if (segment.ok()) return std::move(segment).value();
  // A missing segment was merged or lost: load() and replace() find out which.
  const bool gone = segment.error().code() == base::ErrorCode::kNotFound;
  if (!gone) {
    note_damage(entry.name, segment.error().message());
  } else if (const Manifest manifest = read_manifest();
             std::ranges::find(manifest.segments, entry) != manifest.segments.end()) {
    note_damage(entry.name, "the index's segment " + entry.name + " is missing");
  }
  return nullptr;
}

base::Result<SegmentStore::NewSegment> SegmentStore::create() {
  base::SystemRandom random;
  for (int turn = 0; turn < kMostNamesTried; ++turn) {
    // Names are never reused: a reader identifies its open segment by name.
    const std::string name = std::string(kSegmentPrefix) + std::to_string(random.next());
    const std::filesystem::path path = folder_ / name;
    auto lock = io::FileLock::try_acquire(path);
    if (!lock.ok()) {
      if (lock.error().code() == base::ErrorCode::kUnavailable) continue;
      return std::move(lock).error();
    }
    // A non-empty file is another process's segment; a removed one no longer has this name.
    const auto facts = directory_.facts(name);
    if (lock->names(path) && facts.ok() && facts->size == 0) {
      return NewSegment(std::move(lock).value(), path);
    }
  }
  return base::internal_error("no name is free for a segment in " + folder_.string());
}

base::Result<std::shared_ptr<const SegmentSet>> SegmentStore::replace(
    std::vector<NewSegment> added, const std::vector<std::string>& removed,
    const base::StopToken& stop) {
  base::crash_point("index.segment_written");
  {
    CLEVER_ASSIGN(const io::FileLock lock,
                  io::FileLock::acquire(folder_ / kLock, stop, base::Deadline::never()));
    Manifest manifest = read_manifest();
    const auto damaged = state_.with([](const State& state) { return state.damaged; });
    std::erase_if(manifest.segments,
                  [&](const Manifest::Entry& entry) { return damaged.contains(entry.name); });
    for (const std::string& name : removed) {
      const auto found = std::ranges::find(manifest.segments, name, &Manifest::Entry::name);
      if (found == manifest.segments.end())
        return base::conflict(name + " was merged by another process");
      manifest.segments.erase(found);
    }
    for (const NewSegment& segment : added) {
      CLEVER_ASSIGN(Manifest::Entry entry,
                    manifest_entry(directory_, segment.path().filename().string()));
      manifest.segments.push_back(std::move(entry));
    }
    CLEVER_TRY(io::write_file_atomically(folder_ / kManifest, to_text(manifest)));
    base::crash_point("index.manifest_written");
    for (NewSegment& segment : added) segment.path_.clear();
    for (const std::string& name : removed) (void)io::remove_file(folder_ / name);
  }
  return load();
}

void SegmentStore::remove_orphans(const Manifest& manifest) {
  std::vector<std::string> orphans;
  (void)directory_.list("", [&](std::string_view name, io::EntryFacts::Kind) {
    const bool named = std::ranges::find(manifest.segments, name, &Manifest::Entry::name) !=
                       manifest.segments.end();
    if (name.starts_with(kSegmentPrefix) && !named) orphans.emplace_back(name);
    return true;
  });
  for (const std::string& name : orphans) (void)io::FileLock::remove_if_free(folder_ / name);
}

base::Result<void> SegmentStore::verify(const base::StopToken& stop) {
  bool sound = true;
  for (const auto& segment : current()->segments) {
    if (stop.stop_requested()) return base::cancelled("stopped while verifying the index");
    const auto verified = Segment::open(folder_ / segment->name(), Segment::Verify::kEverything);
    if (verified.ok() || verified.error().code() != base::ErrorCode::kCorruption) continue;
    note_damage(segment->name(), verified.error().message());
    sound = false;
  }
  // Writes the manifest without them; open views keep theirs.
  if (!sound) CLEVER_TRY(replace({}, {}, stop));
  CLEVER_ASSIGN(const io::FileLock lock,
                io::FileLock::acquire(folder_ / kLock, stop, base::Deadline::never()));
  remove_orphans(read_manifest());
  return {};
}

}  // namespace clever::index::internal
