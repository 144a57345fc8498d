#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/statement.h"

namespace clever::storage::sqlite {

/// A sqlite3* with its prepared statements. Used by one thread at a time.
class Connection {
 public:
  struct Options {
    /// Empty: a private database in memory.
    std::filesystem::path file{};
    bool read_only = false;
    /// Checked while another program keeps the database busy.
    base::StopToken stop{};
  };

  /// The clock serves clever_now() and must outlive the connection.
  static base::Result<std::unique_ptr<Connection>> open(const Options& options, base::Clock& clock);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Binds, steps to the end, resets. Ignores the expectation.
  base::Result<Outcome> execute(const Statement& statement);
  template <class... Parameters>
  base::Result<Outcome> run(Sql sql, Parameters&&... parameters) {
    return execute(statement(sql, std::forward<Parameters>(parameters)...));
  }
  /// Returns whether the statement only reads.
  base::Result<bool> only_reads(const Statement& statement);

  /// Runs a script of statements, without parameters and results.
  base::Result<void> script(const std::string& text);
  /// The first column of the first row, for pragmas.
  base::Result<std::string> ask(const std::string& text);

  [[nodiscard]] bool in_transaction() const;
  /// Ends an open transaction; ignores failures.
  void roll_back();

  /// Calls `logged` after each commit with the length of the log in pages; from now on only
  /// checkpoint() copies the log.
  void watch_log(std::function<void(int)> logged);
  /// The length of the log, and how much of it is in the database, in pages.
  struct Log {
    int pages = 0;
    int taken = 0;
  };
  /// Copies the log into the database, up to what readers still need. Does not wait; `unavailable`
  /// while another connection does it.
  base::Result<Log> checkpoint();

  /// Copies everything into another database, step by step. `progress(pages done, of all)`.
  base::Result<void> copy_to(Connection& target,
                             const std::function<void(std::uint64_t, std::uint64_t)>& progress,
                             const base::StopToken& stop);

  [[nodiscard]] sqlite3* handle() { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  struct Prepared {
    std::unique_ptr<sqlite3_stmt, Finalise> statement;
    // The positions of $1, $2, …: SQLite numbers parameters by first occurrence.
    std::vector<int> positions;
  };

  explicit Connection(std::unique_ptr<sqlite3, Close> handle, const base::StopToken& stop)
      : handle_(std::move(handle)), stop_(stop) {}
  base::Result<Prepared*> prepared(std::string_view text);
  base::Result<void> bind(Prepared& prepared, const std::vector<Value>& parameters);
  base::Result<Outcome> step_to_end(sqlite3_stmt* statement);
  static int wait_while_busy(void* self, int attempts);
  static int log_grew(void* self, sqlite3* handle, const char* schema, int pages);

  std::unique_ptr<sqlite3, Close> handle_;
  const base::StopToken stop_;
  std::unordered_map<const char*, Prepared> prepared_;
  std::function<void(int)> logged_;
};

/// Translates a result code, with SQLite's message.
[[nodiscard]] base::Error error_of(int code, sqlite3* handle);

}  // namespace clever::storage::sqlite
