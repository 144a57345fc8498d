#include "storage/sqlite/internal/database_file.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/crash_point.h"
#include "io/disk.h"
#include "io/file.h"
#include "io/file_identity.h"
#include "io/file_names.h"
#include "storage/sqlite/internal/commit_mark.h"
#include "storage/sqlite/internal/migration_target.h"

namespace clever::storage::sqlite {
namespace {

// "Clev": marks the database as ours, for file(1) too.
constexpr std::int64_t kApplicationId = 0x436c6576;
constexpr std::int64_t kLogSizeLimit = std::int64_t{64} << 20;
// An upper limit: pages are allocated when touched.
constexpr int kCacheKibibytes = 16 << 10;

// Without its database, a lock file describes the commits of the deleted one.
base::Result<void> forget_commits(const std::filesystem::path& path) {
  if (io::file_kind(lock_file_of(path)) != io::FileKind::kFile) return {};
  CLEVER_ASSIGN(io::SharedNumbers numbers, io::SharedNumbers::open(lock_file_of(path)));
  CommitMark::forget(numbers);
  return {};
}

base::Result<std::filesystem::path> create_if_missing(const std::filesystem::path& path) {
  if (io::file_kind(path) == io::FileKind::kDirectory) {
    return base::invalid_argument(path.string() +
                                  " is a folder; the database needs the path of a file");
  }
  CLEVER_TRY(create_missing_file(path));
  CLEVER_ASSIGN(auto real, io::real_path(path));
  CLEVER_ASSIGN(const auto facts, io::place_facts(real));
  if (!facts.writable) {
    return base::permission_denied("this user may not write it; chmod u+w " + real.string() +
                                   ", or name another database in database.url");
  }
  return real;
}

// Claims an empty file; any other file must be ours already.
base::Result<void> check_owner(Connection& connection) {
  CLEVER_ASSIGN(const auto id, connection.ask("PRAGMA application_id"));
  if (id == std::to_string(kApplicationId)) return {};
  CLEVER_ASSIGN(const auto objects, connection.ask("SELECT count(*) FROM sqlite_schema"));
  if (id != "0" || objects != "0") {
    return base::invalid_argument(
        "it belongs to another program; name another file in database.url");
  }
  return connection.script("PRAGMA application_id=" + std::to_string(kApplicationId));
}

// Returns false if this library has another default log length: it is kept, and the writer
// checkpoints.
base::Result<bool> may_watch_log(Connection& connection) {
  constexpr std::string_view kOfTheLibrary = "1000";
  CLEVER_ASSIGN(const auto pages, connection.ask("PRAGMA wal_autocheckpoint"));
  return pages == kOfTheLibrary;
}

base::Result<void> set_up(Connection& connection, const EngineOptions& options) {
  const bool full = options.synchronous == Synchronous::kFull;
  CLEVER_ASSIGN(const auto mode, connection.ask("PRAGMA journal_mode=WAL"));
  if (mode != "wal") {
    return base::unavailable("its file system does not allow write-ahead logging (mode " + mode +
                             "); keep the database on a local disk");
  }
  return connection.script(
      "PRAGMA cache_size=-" + std::to_string(kCacheKibibytes) +
      ";PRAGMA synchronous=" + std::string(full ? "FULL" : "NORMAL") +
      ";PRAGMA cell_size_check=ON;PRAGMA journal_size_limit=" + std::to_string(kLogSizeLimit));
}

base::Result<std::int64_t> migrate(Connection& connection, const std::filesystem::path& file,
                                   const EngineOptions& options, base::Clock& clock) {
  SqliteMigrationTarget target(connection, file, clock);
  CLEVER_ASSIGN(const std::int64_t version, MigrationRunner(options.migrations).run(target));
  target.remove_leftovers(version);
  return version;
}

base::Result<OpenDatabase> open_with_turn(OpenDatabase database, const EngineOptions& options,
                                          base::Clock& clock, const base::StopToken& closing) {
  CLEVER_TRY(check_not_emptied(database.file));
  CLEVER_ASSIGN(database.numbers, io::SharedNumbers::open(lock_file_of(database.file)));
  CLEVER_ASSIGN(database.connection,
                Connection::open({.file = database.file, .stop = closing}, clock));
  CLEVER_TRY(check_owner(*database.connection));
  base::crash_point("storage.opened");
  CLEVER_TRY(set_up(*database.connection, options));
  CLEVER_ASSIGN(database.watches_log, may_watch_log(*database.connection));
  base::crash_point("storage.logging");
  CLEVER_ASSIGN(database.schema_version,
                migrate(*database.connection, database.file, options, clock));
  return database;
}

}  // namespace

std::filesystem::path lock_file_of(const std::filesystem::path& file) {
  return file.string() + "-lock";
}

base::Result<void> create_missing_file(const std::filesystem::path& path) {
  if (io::file_kind(path) != io::FileKind::kMissing) return {};
  CLEVER_TRY(forget_commits(path));
  CLEVER_TRY(io::create_file(path));
  base::crash_point("storage.file_created");
  return {};
}

base::Result<void> check_not_emptied(const std::filesystem::path& file) {
  const auto found = io::file_identity(file);
  if (!found.ok() || found->size != 0) return {};
  if (io::file_kind(lock_file_of(file)) != io::FileKind::kFile) return {};
  CLEVER_ASSIGN(const io::SharedNumbers numbers, io::SharedNumbers::open(lock_file_of(file)));
  if (!CommitMark::has_commits(numbers)) return {};
  return base::corruption(
      "it was cut to 0 bytes by another program. End all agents and put a backup in "
      "its place (`agents db backup` makes them); to begin anew without what was in it, remove it "
      "with its -wal and -shm");
}

base::Result<OpenDatabase> open_file(const std::filesystem::path& path,
                                     const EngineOptions& options, base::Clock& clock,
                                     const base::StopToken& closing) {
  const std::string doing = "opening the database " + path.string();
  auto real = create_if_missing(path).context(doing);
  if (!real.ok()) return std::move(real).error();
  auto turn = io::ProcessMutex::open(lock_file_of(*real)).context(doing);
  if (!turn.ok()) return std::move(turn).error();
  CLEVER_TRY(turn->lock(closing).context(doing));
  auto database = open_with_turn({.file = *real}, options, clock, closing).context(doing);
  turn->unlock();
  if (database.ok()) database->turn = std::move(turn).value();
  return database;
}

base::Result<OpenDatabase> open_memory(const EngineOptions& options, base::Clock& clock) {
  OpenDatabase database;
  CLEVER_ASSIGN(database.connection, Connection::open({}, clock));
  CLEVER_ASSIGN(database.schema_version, migrate(*database.connection, {}, options, clock));
  return database;
}

}  // namespace clever::storage::sqlite
