#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/thread_pool.h"
#include "context/history.h"
#include "git/object_store.h"
#include "git/project.h"
#include "index/code_index.h"
#include "model/phase.h"

namespace clever::engine {

/// What a phase may see of a project. What is not set is as in the phase before: default,
/// strategize, execute, apply. A value.
struct ViewRules {
  /// Patterns as of .gitignore; none: all files.
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
  /// Bytes of one file, and of all that are read for one question.
  std::uint64_t largest_file = std::uint64_t{1} << 20U;
  std::uint64_t largest_total = std::uint64_t{50} << 20U;
  friend bool operator==(const ViewRules&, const ViewRules&) = default;
};

/// The files of a corpus that the rules admit. limited() applies their limits.
[[nodiscard]] std::shared_ptr<index::Corpus> seen_through(const ViewRules& rules,
                                                          std::shared_ptr<index::Corpus> corpus);
/// The view, reading no more than the rules allow: `resource_exhausted` beyond. For one question.
[[nodiscard]] std::shared_ptr<const index::View> limited(const ViewRules& rules,
                                                         std::shared_ptr<const index::View> view);

/// The name of a project's folder below <home>/index: the same for all its worktrees.
[[nodiscard]] std::string index_key(const git::Project& project);

/// Searchable files of projects: an index per project, a view per tree, the history per commit.
/// prepare() builds them in the background when code changes, so that a turn hardly ever waits for
/// one.
///
/// Thread-safe. Owned by the code that assembles the engine. The destructor ends running work; the
/// pool outlives it.
class CodeViews {
 public:
  struct Options {
    /// <home>/index
    std::filesystem::path folder{};
    /// What an index is opened with, but for its folder.
    index::IndexOptions index{};
    /// Which of them differ from what comes before.
    std::map<model::Phase, ViewRules> rules{};
    ViewRules usual{};
    std::size_t kept = 16;
  };
  /// Where indexes and histories come from; replaced by tests.
  struct Sources {
    std::function<base::Result<std::unique_ptr<index::CodeIndex>>(index::IndexOptions)> index;
    std::function<base::Result<std::shared_ptr<const context::History>>(
        const git::Project&, const context::History::Options&, const base::StopToken&)>
        history;
    std::function<std::shared_ptr<index::Corpus>(const std::shared_ptr<git::ObjectStore>&,
                                                 const git::ObjectId& tree)>
        corpus;
  };
  [[nodiscard]] static Sources sources();

  /// Files to view.
  struct Files {
    git::Project project{};
    std::shared_ptr<git::ObjectStore> store{};
    git::ObjectId tree{};
    /// HEAD when the work began, for its history; may be empty.
    std::string commit{};
    model::Phase phase = model::Phase::kStrategize;
  };
  struct Seen {
    /// Never null.
    std::shared_ptr<const index::View> view{};
    /// Null while it is not ready.
    std::shared_ptr<const context::History> history{};
  };

  /// `pool`: as many trees are made ready at the same time as it has threads.
  CodeViews(base::ThreadPool& pool, Options options, Sources sources);
  ~CodeViews();

  /// Starts to build them unless they exist or are being built; never waits. Skips what the pool
  /// cannot take.
  void prepare(const Files& files);
  /// Waits for the view until the deadline, and adds the history if it is ready. Returns the error
  /// of the view, else `deadline_exceeded` or `cancelled`.
  [[nodiscard]] base::Result<Seen> look(const Files& files, const base::StopToken& stop,
                                        base::Deadline deadline);
  [[nodiscard]] base::Result<std::shared_ptr<const context::History>> history(
      const git::Project& project, const std::string& commit, const base::StopToken& stop,
      base::Deadline deadline);
  /// The project's index, opened by the first who asks.
  [[nodiscard]] base::Result<std::shared_ptr<index::CodeIndex>> index_of(
      const git::Project& project);

  [[nodiscard]] const ViewRules& rules_of(model::Phase phase) const;
  [[nodiscard]] std::filesystem::path folder_of(const git::Project& project) const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::engine
