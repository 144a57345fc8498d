#include "context/history.h"

#include <algorithm>
#include <optional>

#include "context/internal/commit_index.h"
#include "context/internal/commit_order.h"
#include "context/internal/history_cache.h"
#include "context/internal/log_output.h"
#include "git/git_command.h"
#include "io/file.h"

namespace clever::context {
namespace {

using internal::CacheKey;
using internal::CommitIndex;
using internal::CommitTable;

constexpr std::size_t kOutputLimit = std::size_t{256} << 20U;
constexpr std::size_t kCacheLimit = std::size_t{256} << 20U;
constexpr std::size_t kMostHeads = 8;

// Reads the commits of one project, on top of earlier readings in the cache.
class Reading {
 public:
  Reading(const git::Project& project, const History::Options& options, const base::StopToken& stop,
          base::Deadline deadline)
      : project_(project), options_(options), stop_(stop), deadline_(deadline) {}

  base::Result<CommitTable> table(const git::ObjectId& head) {
    if (auto kept = from_cache()) {
      CLEVER_ASSIGN(const bool enough, extend(*kept, head));
      if (enough) return *std::move(kept);
    }
    CommitTable fresh;
    CLEVER_ASSIGN(const io::ProcessResult result, log({head.to_hex()}));
    if (!result.succeeded()) {
      return base::internal_error("git log failed: " + git::git_complaint(result));
    }
    add(result, fresh);
    fresh.heads = {head};
    keep(fresh);
    return fresh;
  }

 private:
  [[nodiscard]] CacheKey key() const { return {options_.most_commits, options_.most_files}; }
  [[nodiscard]] std::filesystem::path file() const { return options_.folder / "history"; }

  std::optional<CommitTable> from_cache() const {
    if (options_.folder.empty()) return std::nullopt;
    const auto bytes = io::read_file(file(), kCacheLimit);
    if (!bytes.ok()) return std::nullopt;
    auto table = internal::cache_from(*bytes, key());
    if (!table.ok()) return std::nullopt;
    return std::move(table).value();
  }

  // The cache only saves time: an unwritable folder is not an error.
  void keep(const CommitTable& table) const {
    if (options_.folder.empty()) return;
    if (!io::make_directories(options_.folder).ok()) return;
    (void)io::write_file_atomically(file(), internal::cache_bytes(table, key())).ok();
  }

  // Adds the commits that `head` adds. Returns false if reading everything anew is better.
  base::Result<bool> extend(CommitTable& table, const git::ObjectId& head) {
    if (std::ranges::find(table.heads, head) == table.heads.end()) {
      std::vector<std::string> wanted = {head.to_hex(), "--not"};
      for (const git::ObjectId& known : table.heads) wanted.push_back(known.to_hex());
      CLEVER_ASSIGN(const io::ProcessResult result, log(wanted));
      // A commit that was a head may no longer exist.
      if (!result.succeeded()) return false;
      const std::size_t before = table.commits.size();
      add(result, table);
      if (!deep_enough(table, head)) return false;
      if (table.commits.size() > 2 * options_.most_commits) return false;
      remember(table, head);
      if (table.commits.size() > before) keep(table);
      return true;
    }
    return deep_enough(table, head);
  }

  // Returns false for a head far from those of a cut table, which has too few of its commits.
  [[nodiscard]] bool deep_enough(const CommitTable& table, const git::ObjectId& head) const {
    const std::size_t reached = internal::newest_first(table.commits, head).size();
    return reached > 0 && (!table.cut || reached * 2 >= options_.most_commits);
  }

  static void remember(CommitTable& table, const git::ObjectId& head) {
    table.heads.insert(table.heads.begin(), head);
    if (table.heads.size() > kMostHeads) table.heads.resize(kMostHeads);
  }

  // A partial or damaged clone lists names of contents that it does not have.
  [[nodiscard]] base::Result<io::ProcessResult> log(const std::vector<std::string>& wanted) const {
    CLEVER_ASSIGN(auto result, log(wanted, internal::Renames::kAlike));
    if (result.succeeded()) return result;
    return log(wanted, internal::Renames::kEqual);
  }

  [[nodiscard]] base::Result<io::ProcessResult> log(const std::vector<std::string>& wanted,
                                                    internal::Renames renames) const {
    std::vector<std::string> arguments = internal::log_arguments(options_.most_commits, renames);
    arguments.insert(arguments.end(), wanted.begin(), wanted.end());
    arguments.emplace_back("--");
    return git::run_git(project_.root, std::move(arguments),
                        {.output_limit = kOutputLimit, .stop = stop_, .deadline = deadline_});
  }

  void add(const io::ProcessResult& result, CommitTable& table) const {
    const std::size_t before = table.commits.size();
    internal::read_log(result.output, options_.most_files, table);
    if (result.truncated && table.commits.size() > before) table.commits.pop_back();
    if (result.truncated || table.commits.size() - before >= options_.most_commits) {
      table.cut = true;
    }
  }

  const git::Project& project_;
  const History::Options& options_;
  const base::StopToken& stop_;
  const base::Deadline deadline_;
};

base::Result<git::ObjectId> start_of(const git::Project& project, const History::Options& options) {
  if (options.commit) return options.commit;
  CLEVER_ASSIGN(const git::HeadState head, git::head_state(project));
  return head.commit.value_or(git::ObjectId());
}

}  // namespace

base::Result<std::shared_ptr<const History>> History::read(const git::Project& project,
                                                           const Options& options,
                                                           const base::StopToken& stop,
                                                           base::Deadline deadline) {
  CommitTable table;
  git::ObjectId start;
  if (project.kind == git::ProjectKind::kRepository) {
    CLEVER_ASSIGN(start, start_of(project, options));
  }
  if (start) {
    CLEVER_ASSIGN(table, Reading(project, options, stop, deadline).table(start));
  }
  const CommitIndex::Limits limits{options.most_commits, options.most_files};
  return std::shared_ptr<const History>(
      std::make_shared<CommitIndex>(std::move(table), start, limits));
}

}  // namespace clever::context
