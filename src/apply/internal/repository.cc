#include "apply/internal/repository.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "apply/internal/list_output.h"
#include "apply/internal/pause.h"
#include "git/object_store.h"
#include "io/file.h"

namespace clever::apply::internal {
namespace {

constexpr base::Duration kReferencePatience = std::chrono::seconds{5};
constexpr std::size_t kPathsPerCommand = 500;

std::string trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string null_ended(const std::set<std::string>& paths) {
  std::string all;
  for (const std::string& path : paths) all += path + '\0';
  return all;
}

}  // namespace

git::GitCommandOptions Repository::options(
    const std::optional<std::filesystem::path>& index) const {
  git::GitCommandOptions options{.stop = stop_, .deadline = deadline_};
  options.environment.emplace_back("GIT_LITERAL_PATHSPECS=1");
  if (index) options.environment.push_back("GIT_INDEX_FILE=" + index->string());
  return options;
}

base::Result<std::string> Repository::git(std::vector<std::string> arguments,
                                          const git::GitCommandOptions& options) const {
  const std::string command = arguments.front();
  // git syncs objects and references before it returns, whatever the user's settings are. Index
  // files are ours and temporary, or synced before they are put in place.
  const bool index = command == "read-tree" || command == "update-index";
  arguments.insert(arguments.begin(), {"-c", index ? "core.fsync=none" : "core.fsync=all", "-c",
                                       "index.sparse=false"});
  CLEVER_ASSIGN(io::ProcessResult result,
                git::run_git(project_.root, std::move(arguments), options));
  if (result.succeeded()) return std::move(result.output);
  return base::internal_error("git " + command + " failed: " + git::git_complaint(result));
}

base::Result<Entries> Repository::tree_entries(const std::string& commit,
                                               const std::set<std::string>& paths) const {
  Entries entries;
  if (commit.empty()) return entries;
  const std::vector<std::string> all(paths.begin(), paths.end());
  for (std::size_t first = 0; first < all.size(); first += kPathsPerCommand) {
    std::vector<std::string> arguments = {"ls-tree", "-z", "-t", "--full-tree", commit, "--"};
    const auto some = std::span(all).subspan(first, std::min(kPathsPerCommand, all.size() - first));
    arguments.insert(arguments.end(), some.begin(), some.end());
    CLEVER_ASSIGN(const std::string output, git(std::move(arguments), options()));
    add_tree_entries(entries, output);
  }
  return entries;
}

base::Result<Entries> Repository::index_entries(const std::set<std::string>& paths) const {
  Entries entries;
  const std::vector<std::string> all(paths.begin(), paths.end());
  for (std::size_t first = 0; first < all.size(); first += kPathsPerCommand) {
    std::vector<std::string> arguments = {"ls-files", "-z", "-s", "-t", "--"};
    const auto some = std::span(all).subspan(first, std::min(kPathsPerCommand, all.size() - first));
    arguments.insert(arguments.end(), some.begin(), some.end());
    CLEVER_ASSIGN(const std::string output, git(std::move(arguments), options()));
    add_index_entries(entries, output);
  }
  return entries;
}

base::Result<std::map<std::string, std::string>> Repository::filters(
    const std::set<std::string>& paths) const {
  git::GitCommandOptions with_paths = options();
  with_paths.standard_input = null_ended(paths);
  CLEVER_ASSIGN(const std::string output,
                git({"check-attr", "-z", "--stdin", "filter"}, with_paths));
  const auto fields = split(output, '\0');
  std::map<std::string, std::string> filters;
  for (std::size_t first = 0; first + 2 < fields.size(); first += 3) {
    const std::string_view value = fields[first + 2];
    if (value == "unspecified" || value == "unset") continue;
    filters.emplace(fields[first], value);
  }
  return filters;
}

base::Result<std::string> Repository::normalised_id(const std::string& path,
                                                    const std::string& bytes) const {
  git::GitCommandOptions with_bytes = options();
  with_bytes.standard_input = bytes;
  CLEVER_ASSIGN(std::string id, git({"hash-object", "--stdin", "--path=" + path}, with_bytes));
  return trimmed(std::move(id));
}

base::Result<std::string> Repository::normalised(const std::string& path, const std::string& bytes,
                                                 const std::filesystem::path& scratch) const {
  CLEVER_ASSIGN(std::string id, normalised_id(path, bytes));
  if (id == git::object_id_of(git::ObjectKind::kBlob, bytes).to_hex()) return bytes;
  CLEVER_TRY(io::make_directories(scratch));
  git::GitCommandOptions apart = options();
  apart.environment.push_back("GIT_OBJECT_DIRECTORY=" + scratch.string());
  apart.standard_input = bytes;
  CLEVER_TRY(git({"hash-object", "-w", "--stdin", "--path=" + path}, apart));
  apart.standard_input.clear();
  return git({"cat-file", "blob", id}, apart);
}

base::Result<Repository::Settings> Repository::settings() const {
  constexpr std::string_view kAnswer = " true";
  CLEVER_ASSIGN(const io::ProcessResult result,
                git::run_git(project_.root,
                             {"config", "--type=bool", "--get-regexp",
                              R"(^(core\.filemode|commit\.gpgsign)$)"},
                             options()));
  Settings settings;
  // The last of several counts.
  for (const std::string_view line : split(result.output, '\n')) {
    const bool value = line.ends_with(kAnswer);
    if (line.starts_with("core.filemode ")) settings.trusts_modes = value;
    if (line.starts_with("commit.gpgsign ")) settings.signs = value;
  }
  return settings;
}

base::Result<std::string> Repository::commit_of(const std::string& reference) const {
  CLEVER_ASSIGN(
      io::ProcessResult result,
      git::run_git(project_.root, {"rev-parse", "--verify", "--quiet", reference}, options()));
  return result.succeeded() ? trimmed(std::move(result.output)) : std::string();
}

base::Result<bool> Repository::is_ancestor(const std::string& one, const std::string& other) const {
  CLEVER_ASSIGN(
      const io::ProcessResult result,
      git::run_git(project_.root, {"merge-base", "--is-ancestor", one, other}, options()));
  return result.succeeded();
}

base::Result<bool> Repository::is_branch_name(const std::string& name) const {
  if (name.starts_with('-')) return false;
  CLEVER_ASSIGN(const io::ProcessResult result,
                git::run_git(project_.root, {"check-ref-format", "refs/heads/" + name}, options()));
  return result.succeeded();
}

base::Result<std::string> Repository::with_trailer(const std::string& message,
                                                   const std::string& trailer) const {
  const std::string text = trimmed(message);
  // A subject alone has no trailers; otherwise git knows.
  if (!text.contains('\n')) return text + "\n\n" + trailer + "\n";
  git::GitCommandOptions with_message = options();
  with_message.standard_input = text + "\n";
  return git(
      {"interpret-trailers", "--no-divider", "--if-exists", "addIfDifferent", "--trailer", trailer},
      with_message);
}

base::Result<std::vector<std::string>> Repository::write_blobs(
    const std::vector<std::string>& files) const {
  std::vector<std::string> ids;
  if (files.empty()) return ids;
  git::GitCommandOptions with_files = options();
  for (const std::string& file : files) with_files.standard_input += file + "\n";
  CLEVER_ASSIGN(const std::string output,
                git({"hash-object", "-w", "--no-filters", "--stdin-paths"}, with_files));
  for (const std::string_view id : split(output, '\n')) ids.emplace_back(id);
  return ids;
}

base::Result<void> Repository::feed_index(const std::vector<IndexEntry>& entries,
                                          const git::GitCommandOptions& index) const {
  git::GitCommandOptions with_entries = index;
  with_entries.standard_input = index_lines(entries);
  CLEVER_TRY(git({"update-index", "-z", "--index-info"}, with_entries));
  return {};
}

base::Result<void> Repository::check_out(const std::vector<IndexEntry>& entries,
                                         const std::filesystem::path& index,
                                         const std::string& folder) const {
  git::GitCommandOptions with_index = options(index);
  CLEVER_TRY(feed_index(entries, with_index));
  // Paths at the root could be taken for options, and .gitattributes are read from the root: hence
  // a prefix, not another working directory.
  CLEVER_TRY(git({"checkout-index", "--all", "--quiet", "--prefix=" + folder + "/"}, with_index));
  return {};
}

base::Result<std::string> Repository::make_commit(const std::vector<IndexEntry>& entries,
                                                  const CommitOptions& commit) const {
  const git::GitCommandOptions with_index = options(commit.index);
  if (!commit.parent.empty()) CLEVER_TRY(git({"read-tree", commit.parent}, with_index));
  CLEVER_TRY(feed_index(entries, with_index));
  CLEVER_ASSIGN(std::string tree, git({"write-tree"}, with_index));
  std::vector<std::string> arguments = {"commit-tree", trimmed(std::move(tree)), "-F", "-"};
  if (!commit.parent.empty()) arguments.insert(arguments.end(), {"-p", commit.parent});
  if (commit.sign) arguments.emplace_back("-S");
  git::GitCommandOptions with_message = options();
  with_message.standard_input = commit.message;
  CLEVER_ASSIGN(std::string id, git(std::move(arguments), with_message));
  return trimmed(std::move(id));
}

base::Result<Repository::Moved> Repository::move_reference(const Landing& landing) const {
  Pause pause(kReferencePatience, stop_, deadline_);
  while (true) {
    std::vector<std::string> arguments = {"update-ref", "-m", landing.reflog};
    if (landing.reference == "HEAD") arguments.emplace_back("--no-deref");
    arguments.insert(arguments.end(), {landing.reference, landing.new_commit, landing.old_commit});
    auto moved = git(std::move(arguments), options());
    if (moved.ok()) return Moved::kMoved;
    CLEVER_ASSIGN(const std::string present, commit_of(landing.reference));
    if (present == landing.new_commit) return Moved::kMoved;
    if ((present.empty() ? kNoCommit : present) != landing.old_commit) {
      if (present.empty()) return Moved::kElsewhere;
      CLEVER_ASSIGN(const bool beyond, is_ancestor(landing.new_commit, present));
      return beyond ? Moved::kMoved : Moved::kElsewhere;
    }
    // Another process holds the lock for a moment.
    if (!pause.again()) return std::move(moved).error();
  }
}

base::Result<void> Repository::set_entries(
    const std::vector<IndexEntry>& entries,
    const std::optional<std::filesystem::path>& index) const {
  const git::GitCommandOptions with_index = options(index);
  CLEVER_TRY(feed_index(entries, with_index));
  return refresh(entries, with_index);
}

// The entries lack file times: without them every later `git status` reads the files.
base::Result<void> Repository::refresh(const std::vector<IndexEntry>& entries,
                                       git::GitCommandOptions with_index) const {
  // git compares each given path with every entry of the index; for many paths, a look at all files
  // is faster.
  constexpr std::size_t kMostPaths = 200;
  std::vector<std::string> arguments{"update-index", "-q", "--unmerged", "--refresh"};
  if (entries.size() <= kMostPaths) {
    for (const IndexEntry& entry : entries) {
      if (entry.mode != 0) with_index.standard_input += entry.path + '\0';
    }
    if (with_index.standard_input.empty()) return {};
    arguments = {"add", "--refresh", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"};
  }
  auto refreshed = git::run_git(project_.root, std::move(arguments), with_index);
  if (!refreshed.ok()) return std::move(refreshed).error();
  return {};
}

}  // namespace clever::apply::internal
