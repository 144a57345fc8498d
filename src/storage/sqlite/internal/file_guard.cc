#include "storage/sqlite/internal/file_guard.h"

#include <algorithm>
#include <string>
#include <utility>

#include "io/file.h"
#include "storage/sqlite/internal/migration_target.h"

namespace clever::storage::sqlite {
namespace {

// No database is smaller than its first page. SQLite takes a smaller file for an empty database and
// discards the log.
constexpr std::uint64_t kSmallest = 512;

std::optional<io::FileIdentity> identity(const std::filesystem::path& path) {
  auto found = io::file_identity(path);
  return found.ok() ? std::optional(*found) : std::nullopt;
}

bool is_same(const std::optional<io::FileIdentity>& now,
             const std::optional<io::FileIdentity>& then) {
  return !then || (now && now->device == then->device && now->inode == then->inode);
}

}  // namespace

FileGuard::FileGuard(std::filesystem::path file)
    : file_(std::move(file)),
      log_file_(file_.string() + "-wal"),
      database_(identity(file_)),
      log_(identity(log_file_)) {}

bool FileGuard::is_there() const { return is_same(identity(file_), database_); }

base::Result<void> FileGuard::check(Connection& connection, base::Clock& clock) {
  const auto database = identity(file_);
  const bool whole = is_same(database, database_) && is_same(identity(log_file_), log_);
  if (!whole) return lost(connection, clock);
  if (database) return check_size(database->size, clock);
  return {};
}

// VACUUM shrinks a database too, but leaves its pages sound.
base::Result<void> FileGuard::check_size(std::uint64_t size, base::Clock& clock) {
  if (cut_) return base::Error(*cut_);
  const std::uint64_t before = std::exchange(size_, size);
  if (size >= before && size >= kSmallest) return {};
  std::string found = "it is empty";
  if (size >= kSmallest) {
    const auto fresh = Connection::open({.file = file_, .read_only = true}, clock);
    const auto checked = fresh.ok() ? (*fresh)->ask("PRAGMA quick_check(1)")
                                    : base::Result<std::string>(fresh.error());
    found = checked.ok() ? *checked : "its pages cannot be read";
  }
  if (found == "ok") return {};
  cut_ = base::corruption("the database " + file_.string() +
                          " was cut or overwritten while it was in use (" + found +
                          "); end all agents, and put a backup in its place");
  return base::Error(*cut_);
}

base::Error FileGuard::lost(Connection& connection, base::Clock& clock) {
  if (lost_) return *lost_;
  // Every process with the same file open would save the same copy; one is enough.
  const std::filesystem::path copy =
      file_.string() + ".saved-" + std::to_string(database_ ? database_->inode : 0);
  base::Result<void> saved;
  if (io::file_kind(copy) == io::FileKind::kMissing) {
    saved = copy_database(connection, copy, clock, [](auto, auto) {}, {});
  }
  std::string text =
      "the database " + file_.string() + " was deleted or replaced while it was in use; ";
  if (saved.ok()) {
    text += "its content is saved in " + copy.string() +
            ": end all agents and move it to the database's place";
  } else {
    text += "its content could not be saved: " + saved.error().sentence();
  }
  lost_ = base::corruption(std::move(text));
  return *lost_;
}

}  // namespace clever::storage::sqlite
