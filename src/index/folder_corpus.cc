#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "git/git_command.h"
#include "index/corpus.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::index {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kOutputLimit = std::size_t{1} << 30U;
constexpr int kMostReads = 5;
constexpr std::size_t kLargestSettings = std::size_t{1} << 20U;
constexpr std::size_t kCheckStopEvery = 256;

CorpusFile::Stamp stamp_of(const io::EntryFacts& facts) {
  return {facts.device, facts.inode, facts.size, facts.modified, facts.changed};
}

// An empty repository that lets git read the .gitignore files of a folder without one. The
// destructor removes it.
class EmptyRepository {
 public:
  EmptyRepository() = default;
  EmptyRepository(EmptyRepository&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  EmptyRepository& operator=(EmptyRepository&&) = delete;
  ~EmptyRepository() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] static base::Result<EmptyRepository> make() {
    EmptyRepository repository;
    std::error_code error;
    const fs::path place = fs::temp_directory_path(error);
    std::string name = (place / "clever-index-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
      return base::unavailable("cannot make a folder in " + place.string());
    }
    repository.folder_ = name;
    for (const char* folder : {"refs", "objects"}) {
      CLEVER_TRY(io::make_directories(repository.folder_ / folder));
    }
    CLEVER_ASSIGN(const io::Directory directory, io::Directory::open(repository.folder_));
    CLEVER_TRY(directory.create_file("HEAD", "ref: refs/heads/none\n", 0600));
    CLEVER_TRY(directory.create_file(
        "config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", 0600));
    return repository;
  }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

// Stats files; opens each folder once for consecutive files in it.
class Lister {
 public:
  explicit Lister(const io::Directory& root) : root_(root) {}

  // Returns none for a file that is missing or unreachable, a link or a repository of its own.
  std::optional<CorpusFile::Stamp> stamp(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return stamp_in(root_, path);
    if (path.substr(0, slash) != folder_) {
      folder_ = path.substr(0, slash);
      auto opened = root_.open_below(folder_);
      open_.reset();
      if (opened.ok()) open_.emplace(std::move(opened).value());
    }
    return open_ ? stamp_in(*open_, path.substr(slash + 1)) : std::nullopt;
  }

 private:
  static std::optional<CorpusFile::Stamp> stamp_in(const io::Directory& folder,
                                                   std::string_view name) {
    const auto facts = folder.facts(name);
    if (!facts.ok() || facts->kind != io::EntryFacts::Kind::kFile) return std::nullopt;
    return stamp_of(*facts);
  }

  const io::Directory& root_;
  std::string folder_;
  std::optional<io::Directory> open_;
};

class FolderCorpus final : public Corpus {
 public:
  explicit FolderCorpus(git::Project project) : project_(std::move(project)) {}

  base::Result<std::vector<CorpusFile>> files(const base::StopToken& stop) override {
    CLEVER_ASSIGN(const std::string listed, list(stop));
    CLEVER_ASSIGN(const io::Directory root, io::Directory::open(project_.root));
    Lister lister(root);
    std::vector<CorpusFile> files;
    for (std::string_view rest = listed; !rest.empty();) {
      const std::string_view path = rest.substr(0, rest.find('\0'));
      rest.remove_prefix(std::min(path.size() + 1, rest.size()));
      const auto stamp = lister.stamp(path);
      if (!stamp || is_hidden(root, path)) continue;
      files.push_back({.path = std::string(path), .stamp = *stamp});
      if (files.size() % kCheckStopEvery == 0 && stop.stop_requested()) {
        return base::cancelled("stopped while listing " + project_.root.string());
      }
    }
    std::ranges::sort(files, {}, &CorpusFile::path);
    const auto same = std::ranges::unique(files, {}, &CorpusFile::path);
    files.erase(same.begin(), same.end());
    return files;
  }

  base::Result<std::string> read(const CorpusFile& file, std::size_t largest) override {
    CLEVER_ASSIGN(const io::Directory root, io::Directory::open(project_.root));
    for (int turn = 0; turn < kMostReads; ++turn) {
      CLEVER_ASSIGN(const io::EntryFacts before, root.facts(file.path));
      CLEVER_ASSIGN(std::string content, root.read_file(file.path, largest));
      CLEVER_ASSIGN(const io::EntryFacts after, root.facts(file.path));
      if (before == after && content.size() == after.size) return content;
    }
    return base::conflict(file.path + " changes faster than it can be read");
  }

 private:
  bool is_hidden(const io::Directory& root, std::string_view path) const {
    const auto content = [&] { return root.read_file(path, kLargestSettings); };
    return project_.secrets.hides(path, content);
  }

  base::Result<std::string> list(const base::StopToken& stop) const {
    git::GitCommandOptions options{.output_limit = kOutputLimit, .stop = stop};
    std::vector<std::string> arguments{"ls-files", "-z", "--others", "--exclude-standard"};
    if (project_.kind == git::ProjectKind::kRepository) {
      arguments.insert(arguments.end(), {"--cached", "--deduplicate"});
      return git::git_output(project_.root, std::move(arguments), options);
    }
    CLEVER_ASSIGN(const EmptyRepository repository, EmptyRepository::make());
    options.environment = {"GIT_DIR=" + repository.folder().string(),
                           "GIT_WORK_TREE=" + project_.root.string()};
    return git::git_output(project_.root, std::move(arguments), options);
  }

  const git::Project project_;
};

}  // namespace

std::unique_ptr<Corpus> folder_corpus(git::Project project) {
  return std::make_unique<FolderCorpus>(std::move(project));
}

}  // namespace clever::index
