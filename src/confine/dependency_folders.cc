#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/glob.h"
#include "confine/internal/ecosystems.h"
#include "confine/world.h"
#include "git/git_command.h"
#include "git/ignore_file.h"
#include "io/file.h"

namespace clever::confine {
namespace {

using namespace internal;
using Path = std::filesystem::path;

// Limits for enormous checkouts; folders that are deeper, or beyond this many names, need a
// setting.
constexpr int kDeepest = 8;
constexpr std::size_t kMostNames = 500'000;
constexpr std::size_t kLargestList = std::size_t{1} << 20U;

struct Entry {
  std::string name;
  bool is_folder = false;
};

struct Listed {
  git::IgnoreFile patterns;
  std::string why;
};

class Search {
 public:
  Search(Path checkout, std::vector<Listed> lists, git::SecretPaths secrets)
      : checkout_(std::move(checkout)), lists_(std::move(lists)), secrets_(std::move(secrets)) {}

  void run() { visit("", 0); }
  // Relative path and reason, sorted.
  [[nodiscard]] const std::map<std::string, std::string>& found() const { return found_; }

 private:
  void visit(const std::string& folder, int depth) {
    const std::vector<Entry> entries = list(folder);
    add_ecosystems(folder, entries);
    for (const Entry& entry : entries) {
      const std::string path = folder.empty() ? entry.name : folder + "/" + entry.name;
      if (is_hidden(path)) continue;
      if (found_.contains(path) || add_listed(path, entry) || !entry.is_folder) continue;
      if (add_telltale(path) || depth >= kDeepest) continue;
      visit(path, depth + 1);
    }
  }

  std::vector<Entry> list(const std::string& folder) {
    std::vector<Entry> entries;
    std::error_code failed;
    std::filesystem::directory_iterator names(checkout_ / folder, failed);
    for (; !failed && names != std::filesystem::directory_iterator() && ++seen_ < kMostNames;
         names.increment(failed)) {
      std::error_code unknown;
      const auto kind = names->symlink_status(unknown).type();
      std::string name = names->path().filename().string();
      // A link may lead anywhere; .git is never a dependency, in any case.
      if (kind == std::filesystem::file_type::symlink || name == ".git") continue;
      entries.push_back(
          {.name = std::move(name), .is_folder = kind == std::filesystem::file_type::directory});
    }
    std::ranges::sort(entries, {}, &Entry::name);
    return entries;
  }

  void add_ecosystems(const std::string& folder, const std::vector<Entry>& entries) {
    for (const Ecosystem& known : ecosystems()) {
      const bool there = std::ranges::any_of(entries, [&known](const Entry& entry) {
        return entry.is_folder && entry.name == known.folder;
      });
      const bool marked =
          there && std::ranges::any_of(entries, [&known](const Entry& entry) {
            return !entry.is_folder && base::matches_wildcards(known.mark, entry.name);
          });
      if (!marked) continue;
      const std::string name(known.folder);
      found_.emplace(folder.empty() ? name : folder + "/" + name, known.name);
    }
  }

  [[nodiscard]] bool is_hidden(const std::string& path) const {
    const auto content = [&] { return io::read_file(checkout_ / path, kLargestList); };
    return secrets_.hides(path, content);
  }

  bool add_listed(const std::string& path, const Entry& entry) {
    const bool is_likely = secrets_.secrecy(path) == git::Secrecy::kLikely;
    for (const Listed& list : lists_) {
      const auto listed = list.patterns.decision(path, entry.is_folder);
      if (!listed || !listed->ignores || (is_likely && !listed->by_name)) continue;
      found_.emplace(path, list.why);
      return true;
    }
    return false;
  }

  bool add_telltale(const std::string& path) {
    for (const TelltaleFolder& known : telltale_folders()) {
      if (io::file_kind(checkout_ / path / known.mark) == io::FileKind::kMissing) continue;
      found_.emplace(path, known.name);
      return true;
    }
    return false;
  }

  const Path checkout_;
  const std::vector<Listed> lists_;
  const git::SecretPaths secrets_;
  std::map<std::string, std::string> found_;
  std::size_t seen_ = 0;
};

// Returns which of these git ignores. Tracked files are in the base already and must not be
// covered.
base::Result<std::set<std::string>> ask_git(const Path& checkout,
                                            const std::map<std::string, std::string>& found) {
  git::GitCommandOptions options;
  for (const auto& [path, why] : found) {
    options.standard_input += path;
    options.standard_input.push_back('\0');
  }
  CLEVER_ASSIGN(const io::ProcessResult answer,
                git::run_git(checkout, {"check-ignore", "-z", "--stdin"}, options));
  if (answer.exit_code > 1) return base::not_found(git::git_complaint(answer));
  std::set<std::string> ignored;
  for (std::string_view rest = answer.output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    ignored.emplace(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  return ignored;
}

// Outside a repository only the folder's own .gitignore counts.
std::set<std::string> ask_patterns(const Path& checkout,
                                   const std::map<std::string, std::string>& found) {
  const git::IgnoreFile rules(io::read_file(checkout / ".gitignore", kLargestList).value_or(""));
  std::set<std::string> ignored;
  for (const auto& [path, why] : found) {
    const bool is_folder = io::file_kind(checkout / path) == io::FileKind::kDirectory;
    if (rules.decides(path, is_folder).value_or(false)) ignored.insert(path);
  }
  return ignored;
}

base::Result<std::vector<Listed>> read_lists(const Path& checkout,
                                             const std::vector<std::string>& include) {
  std::string wanted;
  for (const std::string& pattern : include) {
    const auto parts = Path(pattern);
    if (std::ranges::find(parts, Path("..")) != parts.end()) {
      return base::invalid_argument("sandbox.include: '" + pattern +
                                    "' leads out of the project; write a path below it");
    }
    wanted += pattern + "\n";
  }
  std::vector<Listed> lists;
  lists.push_back({.patterns = git::IgnoreFile(wanted), .why = "sandbox.include"});
  auto file = io::read_file(checkout / ".worktreeinclude", kLargestList);
  if (!file.ok() && file.error().code() != base::ErrorCode::kNotFound) {
    return std::move(file).error();
  }
  if (file.ok()) lists.push_back({.patterns = git::IgnoreFile(*file), .why = ".worktreeinclude"});
  return lists;
}

}  // namespace

base::Result<std::vector<DependencyFolder>> dependency_folders(
    const Path& checkout, const std::vector<std::string>& include) {
  if (io::file_kind(checkout) != io::FileKind::kDirectory) {
    return base::not_found(checkout.string() + ": no such folder");
  }
  CLEVER_ASSIGN(std::vector<Listed> lists, read_lists(checkout, include));
  Search search(checkout, std::move(lists), git::SecretPaths({.include = include}, checkout));
  search.run();
  if (search.found().empty()) return std::vector<DependencyFolder>();
  auto asked = ask_git(checkout, search.found());
  const std::set<std::string> ignored =
      asked.ok() ? std::move(asked).value() : ask_patterns(checkout, search.found());
  std::vector<DependencyFolder> folders;
  for (const auto& [path, why] : search.found()) {
    if (ignored.contains(path)) folders.push_back({.path = path, .why = why});
  }
  return folders;
}

}  // namespace clever::confine
