#include "storage/database_source.h"

#include <variant>

#include "io/file.h"
#include "io/file_identity.h"
#include "storage/postgres/postgres_engine.h"
#include "storage/sqlite/internal/database_file.h"
#include "storage/sqlite/sqlite_engine.h"

namespace clever::storage {
namespace {

base::Result<std::string> identity_of(const std::filesystem::path& path) {
  if (io::file_kind(path) == io::FileKind::kDirectory) {
    return base::invalid_argument(path.string() +
                                  " is a folder; the database needs the path of a file: name one "
                                  "in database.url");
  }
  CLEVER_TRY(sqlite::create_missing_file(path));
  CLEVER_ASSIGN(const auto identity, io::file_identity(path));
  if (identity.names > 1) {
    return base::invalid_argument(path.string() +
                                  " has a second name (a hard link), which SQLite cannot use "
                                  "safely: copy the file and remove "
                                  "one of the names");
  }
  return "file:" + std::to_string(identity.device) + ":" + std::to_string(identity.inode);
}

}  // namespace

base::Result<std::string> DatabaseSource::identify(const DatabaseUrl& url) {
  if (const auto* file = std::get_if<DatabaseUrl::File>(&url.address())) {
    return identity_of(file->path);
  }
  // Neither form begins with "file:".
  return url.normalised();
}

base::Result<std::unique_ptr<Engine>> DatabaseSource::open(const DatabaseUrl& url,
                                                           const base::StopToken& stop) {
  if (std::holds_alternative<DatabaseUrl::Postgres>(url.address())) {
    return open_postgres(url, options_, clock_, stop);
  }
  return open_sqlite(url, options_, clock_, stop);
}

}  // namespace clever::storage
