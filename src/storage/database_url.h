#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/result.h"

namespace clever::storage {

/// A database, parsed from its URL and normalised. Two spellings of one database compare equal
/// where the text shows it; only the file system knows whether two paths lead to one file.
///
///   (nothing)                         the file cleveragents.db in the program's own folder
///   sqlite:PATH                       a file; the path is taken as it stands, nothing is decoded
///   sqlite:///PATH                    the same file, as SQLAlchemy writes it: sqlite:///x.db is
///                                     relative, sqlite:////x.db absolute
///   sqlite::memory:  sqlite://        the process's own database in memory; sqlite:///:memory: too
///   sqlite::memory:NAME               another one of that name (letters, digits, - _ .)
///   postgresql://USER:PASSWORD@HOST:PORT/DATABASE?NAME=VALUE&…    postgres:// too
///
/// Every part of a PostgreSQL URL is optional and may be percent-encoded; the host can be an IPv6
/// address in brackets or, encoded or as ?host=, the folder of a socket. One host only. As in
/// libpq, ?user=, ?password=, ?host=, ?port= and ?dbname= take precedence.
///
/// A value.
class DatabaseUrl {
 public:
  struct File {
    std::filesystem::path path;  // absolute, without . and ..
    friend bool operator==(const File&, const File&) = default;
  };
  struct Memory {
    std::string name;  // empty: the process's default one
    friend bool operator==(const Memory&, const Memory&) = default;
  };
  struct Postgres {
    std::string host;  // empty: the default socket; a path: the folder of the socket
    std::uint16_t port = 5432;
    std::string user;
    std::string password;
    std::string database;
    std::string parameters;  // "a=b&c=d", sorted and percent-encoded; without the above
    friend bool operator==(const Postgres&, const Postgres&) = default;
  };
  using Address = std::variant<File, Memory, Postgres>;

  /// Defaults for what a URL leaves open.
  struct Folders {
    /// The program's own folder, which holds the database of an empty URL.
    std::filesystem::path home{};
    /// The base of relative paths; empty: the process's working directory.
    std::filesystem::path directory{};
    /// The value of `~/`; empty: such a path is refused.
    std::filesystem::path user{};
  };

  /// `invalid_argument` says what is wrong and what would be right. It never repeats the text,
  /// because any part of a broken URL may be the password.
  [[nodiscard]] static base::Result<DatabaseUrl> parse(std::string_view text,
                                                       const Folders& folders);
  [[nodiscard]] static base::Result<DatabaseUrl> parse(std::string_view text,
                                                       const std::filesystem::path& home) {
    return parse(text, Folders{.home = home});
  }
  /// The database in this file.
  [[nodiscard]] static DatabaseUrl file(const std::filesystem::path& path);

  [[nodiscard]] const Address& address() const { return address_; }
  /// One text for all spellings, without the password: for comparing and showing. Parsing it yields
  /// the same database.
  [[nodiscard]] std::string normalised() const;
  /// For libpq: the whole URL, password included.
  [[nodiscard]] std::string connection_string() const;

  friend bool operator==(const DatabaseUrl&, const DatabaseUrl&) = default;

 private:
  explicit DatabaseUrl(Address address) : address_(std::move(address)) {}
  Address address_;
};

}  // namespace clever::storage
