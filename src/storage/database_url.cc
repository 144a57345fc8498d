#include "storage/database_url.h"

#include <algorithm>
#include <optional>

#include "io/file.h"
#include "storage/internal/postgres_url.h"

namespace clever::storage {
namespace {

using Folders = DatabaseUrl::Folders;
using internal::Secrets;

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Returns what follows the scheme, or nothing for another scheme. Ignores case.
std::optional<std::string_view> after_scheme(std::string_view text, std::string_view scheme) {
  if (!std::ranges::equal(text.substr(0, scheme.size()), scheme, {}, lower_case)) {
    return std::nullopt;
  }
  return text.substr(scheme.size());
}

base::Error unknown(std::string_view text) {
  for (const std::string_view scheme : {"sqlite+", "postgresql+", "postgres+"}) {
    if (after_scheme(text, scheme)) {
      return base::invalid_argument(
          "a database URL names no driver: remove the + and the word after "
          "it out");
    }
  }
  return base::invalid_argument(
      "the database URL is neither sqlite:PATH nor sqlite::memory: nor "
      "postgresql://USER@HOST/DATABASE");
}

base::Result<DatabaseUrl::Address> memory(std::string_view name) {
  const auto allowed = [](char c) {
    const char lower = lower_case(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.").contains(c);
  };
  if (!std::ranges::all_of(name, allowed)) {
    return base::invalid_argument(
        "the name of a database in memory consists of letters, digits, - _ and .");
  }
  return DatabaseUrl::Address(DatabaseUrl::Memory{std::string(name)});
}

base::Result<std::filesystem::path> expanded(std::string_view path, const Folders& folders) {
  if (path != "~" && !path.starts_with("~/")) return folders.directory / path;
  if (folders.user.empty()) {
    return base::invalid_argument(
        "a database URL begins with ~, but the user has no home folder: write the whole path");
  }
  return folders.user / path.substr(std::min<std::size_t>(2, path.size()));
}

base::Result<DatabaseUrl::Address> file_at(std::string_view path, const Folders& folders) {
  if (path.starts_with("file:")) {
    return base::invalid_argument("the database URL has no path after sqlite:; write sqlite:PATH");
  }
  CLEVER_ASSIGN(auto whole, expanded(path, folders));
  whole = io::absolute_path(whole);
  if (!whole.has_filename()) {
    return base::invalid_argument("the database URL names a folder, not a file: write sqlite:PATH");
  }
  return DatabaseUrl::Address(DatabaseUrl::File{std::move(whole)});
}

base::Result<DatabaseUrl::Address> sqlite_at(std::string_view path, const Folders& folders) {
  if (const auto name = after_scheme(path, ":memory:")) return memory(*name);
  return file_at(path, folders);
}

base::Result<DatabaseUrl::Address> parse_sqlite(std::string_view rest, const Folders& folders) {
  if (!rest.starts_with("//")) return sqlite_at(rest, folders);
  rest.remove_prefix(2);
  if (rest.empty()) return DatabaseUrl::Address(DatabaseUrl::Memory{});
  if (!rest.starts_with('/')) {
    return base::invalid_argument(
        "a SQLite database has no host: write sqlite:PATH, or sqlite:///PATH for a relative and "
        "sqlite:////PATH for an absolute path");
  }
  if (rest.find('?') != std::string_view::npos) {
    return base::invalid_argument("the URL of a SQLite database takes no parameters");
  }
  return sqlite_at(rest.substr(1), folders);
}

base::Result<DatabaseUrl::Address> parse_address(std::string_view text, const Folders& folders) {
  if (text.find('\0') != std::string_view::npos) {
    return base::invalid_argument("the database URL holds a zero byte");
  }
  if (text.empty()) return file_at((folders.home / "cleveragents.db").native(), folders);
  if (const auto rest = after_scheme(text, "sqlite:")) return parse_sqlite(*rest, folders);
  for (const std::string_view scheme : {"postgresql://", "postgres://"}) {
    if (const auto rest = after_scheme(text, scheme)) return internal::parse_postgres(*rest);
  }
  return unknown(text);
}

struct Text {
  Secrets secrets;

  std::string operator()(const DatabaseUrl::File& file) const {
    return "sqlite:" + file.path.string();
  }
  std::string operator()(const DatabaseUrl::Memory& memory) const {
    return "sqlite::memory:" + memory.name;
  }
  std::string operator()(const DatabaseUrl::Postgres& address) const {
    return internal::to_text(address, secrets);
  }
};

}  // namespace

base::Result<DatabaseUrl> DatabaseUrl::parse(std::string_view text, const Folders& folders) {
  CLEVER_ASSIGN(auto address, parse_address(text, folders));
  return DatabaseUrl(std::move(address));
}

DatabaseUrl DatabaseUrl::file(const std::filesystem::path& path) {
  return DatabaseUrl(File{io::absolute_path(path)});
}

std::string DatabaseUrl::normalised() const {
  return std::visit(Text{Secrets::kLeftOut}, address_);
}

std::string DatabaseUrl::connection_string() const {
  return std::visit(Text{Secrets::kIncluded}, address_);
}

}  // namespace clever::storage
