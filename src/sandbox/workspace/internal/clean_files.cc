#include "sandbox/workspace/internal/clean_files.h"

#include <git2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "git/initialise.h"

namespace clever::sandbox::internal {
namespace {

struct Free {
  void operator()(git_index* index) const noexcept { git_index_free(index); }
  void operator()(git_repository* repository) const noexcept { git_repository_free(repository); }
};
using Index = std::unique_ptr<git_index, Free>;
using Repository = std::unique_ptr<git_repository, Free>;

constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::uint32_t low_bits(std::uint64_t value) {
  return static_cast<std::uint32_t>(value & 0xFFFFFFFFU);
}

CleanMark mark_from(const struct stat& facts) {
  return {.modified_seconds = low_bits(static_cast<std::uint64_t>(facts.st_mtim.tv_sec)),
          .modified_nanoseconds = low_bits(static_cast<std::uint64_t>(facts.st_mtim.tv_nsec)),
          .size = low_bits(static_cast<std::uint64_t>(facts.st_size)),
          .inode = low_bits(facts.st_ino)};
}

bool is_as_marked(int file, const CleanMark& mark) {
  struct stat facts{};
  return ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && mark_from(facts) == mark;
}

bool read_exactly(int file, std::string& content) {
  std::size_t at = 0;
  while (at < content.size()) {
    const ssize_t count = ::read(file, content.data() + at, content.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<std::int64_t> modification_time(const char* path) {
  struct stat facts{};
  if (path == nullptr || ::stat(path, &facts) != 0) return std::nullopt;
  return facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec;
}

}  // namespace

class CleanFiles::Impl {
 public:
  Impl(Index index, std::int64_t written, io::Directory root)
      : index_(std::move(index)), written_(written), root_(std::move(root)) {}

  [[nodiscard]] std::optional<CleanMark> mark(const std::string& path,
                                              const git::ObjectId& id) const {
    const git_index_entry* entry = git_index_get_bypath(index_.get(), path.c_str(), 0);
    if (entry == nullptr) return std::nullopt;
    if (std::memcmp(entry->id.id, id.bytes().data(), id.bytes().size()) != 0) return std::nullopt;
    // Written at the same moment as the index or later, so a change may be invisible.
    const std::int64_t modified = entry->mtime.seconds * kNanoseconds + entry->mtime.nanoseconds;
    if (modified >= written_) return std::nullopt;
    return CleanMark{.modified_seconds = static_cast<std::uint32_t>(entry->mtime.seconds),
                     .modified_nanoseconds = entry->mtime.nanoseconds,
                     .size = entry->file_size,
                     .inode = entry->ino};
  }

  [[nodiscard]] std::optional<std::string> content(const std::string& path, const CleanMark& mark,
                                                   std::size_t limit) const {
    if (mark.size > limit) return std::nullopt;
    const auto file = root_.open_file(path);
    if (!file.ok() || !is_as_marked(file->number(), mark)) return std::nullopt;
    std::string content(mark.size, '\0');
    if (!read_exactly(file->number(), content)) return std::nullopt;
    if (!is_as_marked(file->number(), mark)) return std::nullopt;
    return content;
  }

 private:
  const Index index_;
  const std::int64_t written_;  // nanoseconds since 1970
  const io::Directory root_;
};

CleanFiles::CleanFiles(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CleanFiles::~CleanFiles() = default;
std::optional<CleanMark> CleanFiles::mark(const std::string& path, const git::ObjectId& id) const {
  return impl_->mark(path, id);
}
std::optional<std::string> CleanFiles::content(const std::string& path, const CleanMark& mark,
                                               std::size_t limit) const {
  return impl_->content(path, mark, limit);
}

std::unique_ptr<CleanFiles> CleanFiles::open(const std::filesystem::path& root) {
  git::initialise();
  git_repository* opened = nullptr;
  if (git_repository_open_ext(&opened, root.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr) != 0) {
    return nullptr;
  }
  const Repository repository(opened);
  git_index* raw = nullptr;
  if (git_repository_index(&raw, repository.get()) != 0) return nullptr;
  Index index(raw);
  const auto written = modification_time(git_index_path(index.get()));
  auto folder = io::Directory::open(root);
  if (!written || !folder.ok()) return nullptr;
  return std::unique_ptr<CleanFiles>(
      new CleanFiles(std::make_unique<Impl>(std::move(index), *written, std::move(*folder))));
}

}  // namespace clever::sandbox::internal
