#include "storage/sqlite/internal/maintenance.h"

#include <charconv>
#include <string>

namespace clever::storage::sqlite {
namespace {

// While it lives, a long statement checks regularly whether it should stop.
class StopsOn {
 public:
  StopsOn(Connection& connection, const base::StopToken& stop)
      : handle_(connection.handle()), stop_(stop) {
    constexpr int kInstructions = 10'000;
    sqlite3_progress_handler(handle_, kInstructions, stop_requested, this);
  }
  ~StopsOn() { sqlite3_progress_handler(handle_, 0, nullptr, nullptr); }
  StopsOn(const StopsOn&) = delete;
  StopsOn& operator=(const StopsOn&) = delete;

 private:
  static int stop_requested(void* self) {
    return static_cast<StopsOn*>(self)->stop_.stop_requested() ? 1 : 0;
  }

  sqlite3* handle_;
  const base::StopToken& stop_;
};

base::Result<std::uint64_t> number(Connection& connection, const std::string& pragma) {
  CLEVER_ASSIGN(const auto text, connection.ask(pragma));
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

base::Result<void> check_integrity(Connection& connection, const Progress& progress,
                                   const base::StopToken& stop) {
  const StopsOn stops(connection, stop);
  CLEVER_ASSIGN(const auto tables,
                connection.run("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"));
  for (std::size_t i = 0; i < tables.rows.size(); ++i) {
    const std::string& table = tables.rows[i].text(0);
    progress("checking table " + table, i, tables.rows.size());
    CLEVER_ASSIGN(const auto found, connection.ask("PRAGMA integrity_check('" + table + "')"));
    if (found != "ok") return base::corruption("table " + table + ": " + found);
  }
  progress("checking the list of free pages", tables.rows.size(), tables.rows.size());
  CLEVER_ASSIGN(const auto whole, connection.ask("PRAGMA quick_check(1)"));
  if (whole != "ok") return base::corruption(whole);
  CLEVER_ASSIGN(const auto orphan, connection.ask("PRAGMA foreign_key_check"));
  if (!orphan.empty()) {
    return base::corruption("a row of table " + orphan + " refers to one that does not exist");
  }
  return {};
}

base::Result<void> vacuum(Connection& connection, const Progress& progress,
                          const base::StopToken& stop) {
  const StopsOn stops(connection, stop);
  progress("rewriting the database", 0, 2);
  CLEVER_TRY(connection.script("VACUUM"));
  progress("checkpointing the log", 1, 2);
  CLEVER_TRY(connection.script("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)"));
  progress("done", 2, 2);
  return {};
}

base::Result<std::uint64_t> size_in_bytes(Connection& connection) {
  CLEVER_ASSIGN(const auto pages, number(connection, "PRAGMA page_count"));
  CLEVER_ASSIGN(const auto page_size, number(connection, "PRAGMA page_size"));
  return pages * page_size;
}

}  // namespace clever::storage::sqlite
