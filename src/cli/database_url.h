#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace clever::cli {

/// Where a database is to be found, as far as reaching it goes.
struct SqliteFile {
  /// Empty: in memory.
  std::filesystem::path path;
};
struct PostgresHost {
  std::string host;
  std::uint16_t port = 5432;
};
struct PostgresSocket {
  std::filesystem::path path;
};
using DatabaseAddress = std::variant<SqliteFile, PostgresHost, PostgresSocket>;

/// Reads `sqlite:PATH`, `sqlite::memory:` and `postgresql://…`; of several hosts the first.
/// `invalid_argument` for anything else; its text never holds the URL's password.
[[nodiscard]] base::Result<DatabaseAddress> database_address(std::string_view url,
                                                             const std::filesystem::path& home);

}  // namespace clever::cli
