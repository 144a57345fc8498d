#include "sandbox/workspace/internal/tree_search.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/task_group.h"
#include "base/thread_pool.h"
#include "sandbox/workspace/internal/layers.h"

namespace clever::sandbox::internal {
namespace {

using git::Node;
using git::ObjectId;

constexpr std::size_t kChunk = 128;  // files that one worker takes at a time

class Walker {
 public:
  Walker(git::ObjectStore& store, const FilePattern& glob,
         const std::function<bool(const std::string&, const Node&)>& visit,
         const base::StopToken& stop)
      : store_(store), glob_(glob), visit_(visit), stop_(stop) {}

  /// Returns false once the visitor stops.
  base::Result<bool> folder(const ObjectId& id, const std::string& prefix) {
    if (stop_.stop_requested()) return base::cancelled("stopped while walking the files");
    CLEVER_ASSIGN(const auto entries, store_.tree(id));
    for (const git::TreeEntry& entry : entries) {
      CLEVER_ASSIGN(const bool more, one(prefix + entry.name, entry.node));
      if (!more) return false;
    }
    return true;
  }

 private:
  base::Result<bool> one(const std::string& path, const Node& node) {
    if (is_folder(node)) {
      return glob_.may_match_below(path) ? folder(node.id, path + "/") : base::Result<bool>(true);
    }
    if (node.mode == git::FileMode::kSubmodule || !glob_.matches(path)) return true;
    return visit_(path, node);
  }

  git::ObjectStore& store_;
  const FilePattern& glob_;
  const std::function<bool(const std::string&, const Node&)>& visit_;
  const base::StopToken& stop_;
};

struct Candidate {
  std::string path;
  ObjectId id;
  std::optional<CleanMark> clean;
};

std::optional<CleanMark> known_mark(const TreeSearch& search, const std::string& path,
                                    const ObjectId& id) {
  if (search.clean == nullptr) return std::nullopt;
  if (std::ranges::binary_search(search.filtered, path, {}, &git::TreePath::text)) {
    return std::nullopt;
  }
  return search.clean->mark(path, id);
}

base::Result<std::vector<Candidate>> candidates_of(const TreeSearch& search, const ObjectId& tree,
                                                   const base::StopToken& stop) {
  std::vector<Candidate> files;
  CLEVER_TRY(walk_matching(
      search.store, tree, search.glob,
      [&](const std::string& path, const Node& node) {
        if (!is_file(node)) return true;
        files.push_back({path, node.id, known_mark(search, path, node.id)});
        return true;
      },
      stop));
  return files;
}

// State shared by the workers of one search.
struct Progress {
  struct Done {
    std::vector<Match> matches;
    std::uint64_t searched = 0;
  };
  std::vector<std::optional<Done>> chunks;
  std::size_t next = 0;
  // Chunks before this one are done, with this many matches.
  std::size_t prefix = 0;
  std::size_t matches = 0;
  std::uint64_t searched = 0;
  std::optional<base::Error> error;
};

class Search {
 public:
  Search(const TreeSearch& search, std::vector<Candidate> files, const base::StopToken& stop,
         base::Deadline deadline)
      : search_(search), files_(std::move(files)), stop_(stop), deadline_(deadline) {
    progress_.with(
        [&](Progress& progress) { progress.chunks.resize((files_.size() + kChunk - 1) / kChunk); });
  }

  /// Takes chunks until none is left or needed.
  void work() {
    while (const auto chunk = take()) {
      auto done = search_chunk(*chunk);
      progress_.with([&](Progress& progress) { settle(progress, *chunk, std::move(done)); });
    }
  }

  base::Result<SearchResult> result() {
    return progress_.with([&](Progress& progress) -> base::Result<SearchResult> {
      if (progress.error) return *progress.error;
      SearchResult result{.matches = {}, .truncated = false, .files_searched = progress.searched};
      for (std::size_t i = 0; i < progress.prefix; ++i) {
        auto& matches = progress.chunks[i]->matches;
        std::ranges::move(matches, std::back_inserter(result.matches));
      }
      result.truncated = result.matches.size() > search_.max_results;
      if (result.truncated) result.matches.resize(search_.max_results);
      return result;
    });
  }

 private:
  std::optional<std::size_t> take() {
    return progress_.with([&](Progress& progress) -> std::optional<std::size_t> {
      const bool enough = progress.matches > search_.max_results || progress.error.has_value();
      if (enough || progress.next >= progress.chunks.size()) return std::nullopt;
      return progress.next++;
    });
  }

  static void settle(Progress& progress, std::size_t chunk, base::Result<Progress::Done>&& done) {
    if (!done.ok()) {
      if (!progress.error) progress.error = std::move(done).error();
      return;
    }
    progress.searched += done->searched;
    progress.chunks[chunk] = std::move(*done);
    while (progress.prefix < progress.chunks.size() && progress.chunks[progress.prefix]) {
      progress.matches += progress.chunks[progress.prefix]->matches.size();
      ++progress.prefix;
    }
  }

  base::Result<Progress::Done> search_chunk(std::size_t chunk) const {
    Progress::Done done;
    const std::size_t end = std::min(files_.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      if (stop_.stop_requested()) return base::cancelled("stopped while searching");
      if (deadline_.passed()) return base::deadline_exceeded("searching took too long");
      if (done.matches.size() > search_.max_results) break;
      CLEVER_TRY(search_file(files_[i], done));
    }
    return done;
  }

  base::Result<void> search_file(const Candidate& file, Progress::Done& done) const {
    CLEVER_ASSIGN(const auto content, content_of(file));
    if (!content) return {};
    ++done.searched;
    const std::size_t most = search_.max_results + 1 - done.matches.size();
    for (FoundLine& line : search_.text.lines(*content, most)) {
      done.matches.push_back({file.path, line.number, std::move(line.text)});
    }
    return {};
  }

  base::Result<std::optional<std::string>> content_of(const Candidate& file) const {
    if (file.clean) {
      auto content = search_.clean->content(file.path, *file.clean, search_.largest_file);
      if (content) return content;
    }
    auto content = search_.store.blob(file.id, search_.largest_file);
    if (content.ok()) return std::optional(std::move(*content));
    if (content.error().code() == base::ErrorCode::kResourceExhausted) {
      return std::optional<std::string>();
    }
    return std::move(content).error();
  }

  // Constant after construction.
  const TreeSearch& search_;
  const std::vector<Candidate> files_;
  const base::StopToken& stop_;
  const base::Deadline deadline_;

  base::Guarded<Progress> progress_;
};

}  // namespace

base::Result<void> walk_matching(
    git::ObjectStore& store, const ObjectId& tree, const FilePattern& glob,
    const std::function<bool(const std::string& path, const Node& node)>& visit,
    const base::StopToken& stop) {
  CLEVER_TRY(Walker(store, glob, visit, stop).folder(tree, ""));
  return {};
}

base::Result<SearchResult> search_tree(const TreeSearch& search, const ObjectId& tree,
                                       const base::StopToken& stop, base::Deadline deadline) {
  CLEVER_ASSIGN(auto files, candidates_of(search, tree, stop));
  Search run(search, std::move(files), stop, deadline);
  if (search.pool == nullptr) {
    run.work();
    return run.result();
  }
  base::TaskGroup group(*search.pool, stop);
  for (unsigned i = 1; i < search.pool->threads(); ++i) {
    // A full pool is no problem: the caller works too.
    const auto spawned = group.spawn([&run](const base::StopToken&) -> base::Result<void> {
      run.work();
      return {};
    });
    if (!spawned.ok()) break;
  }
  run.work();
  const auto ended = group.wait();
  if (!ended.ok() && ended.error().code() != base::ErrorCode::kCancelled) return ended.error();
  return run.result();
}

}  // namespace clever::sandbox::internal
