#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_id.h"
#include "git/project.h"

namespace clever::context {

/// Evidence from the project's commits: which words led to which files, and which files changed
/// together. Immutable and thread-safe. Covers what HEAD led to when it was read, at most the
/// newest `most_commits`; skips commits that touch very many files.
class History {
 public:
  struct Options {
    /// Caches the commits there, so that only new ones are read later; empty: no cache.
    std::filesystem::path folder{};
    std::size_t most_commits = 20'000;
    std::size_t most_files = 60;
    /// Where to start; nothing: HEAD.
    git::ObjectId commit{};
  };
  /// Empty for a plain folder and before the first commit.
  [[nodiscard]] static base::Result<std::shared_ptr<const History>> read(
      const git::Project& project, const Options& options, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());
  virtual ~History() = default;

  struct PathScore {
    std::string path{};
    double score = 0;
    /// The subject and short id of the commit with the strongest evidence.
    std::string subject{};
    std::string commit{};
  };
  /// Paths (by their present names, following renames) that commits with such words changed, best
  /// first.
  [[nodiscard]] virtual std::vector<PathScore> related(std::string_view query,
                                                       std::size_t limit) const = 0;
  /// Paths that changed in the same commits as these.
  [[nodiscard]] virtual std::vector<PathScore> together(const std::vector<std::string>& paths,
                                                        std::size_t limit) const = 0;
  /// 1: changed by the newest commit; towards 0 for old changes; 0: unknown.
  [[nodiscard]] virtual double recency(std::string_view path) const = 0;
  [[nodiscard]] virtual std::size_t commits() const = 0;
};

}  // namespace clever::context
