#include "storage/sqlite/internal/connection.h"

#include <poll.h>

#include <charconv>
#include <functional>
#include <utility>

#include "base/lock_rank.h"
#include "base/utf8.h"

namespace clever::storage::sqlite {
namespace {

// How long to wait, in steps of 10 ms, while a program that does not queue for FILE-lock holds the
// database.
constexpr int kBusyWaits = 6'000;
constexpr int kBusyWaitMilliseconds = 10;
constexpr int kPagesPerStep = 1'024;

void now_function(sqlite3_context* context, int /*count*/, sqlite3_value** /*values*/) {
  const auto* clock = static_cast<const base::Clock*>(sqlite3_user_data(context));
  const auto since_1970 = clock->wall_now().time_since_epoch();
  sqlite3_result_int64(context,
                       std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count());
}

std::string json_array(const std::vector<std::int64_t>& values) {
  std::string text = "[";
  for (const auto value : values) {
    if (text.size() > 1) text += ',';
    text += std::to_string(value);
  }
  return text + ']';
}

int bind_value(sqlite3_stmt* statement, int position, const Value& value) {
  struct Binder {
    sqlite3_stmt* statement;
    int position;
    int operator()(Null /*null*/) const { return sqlite3_bind_null(statement, position); }
    int operator()(std::int64_t number) const {
      return sqlite3_bind_int64(statement, position, number);
    }
    int operator()(double number) const { return sqlite3_bind_double(statement, position, number); }
    // The parameters outlive the execution.
    int operator()(const std::string& text) const {
      return sqlite3_bind_text64(statement, position, text.data(), text.size(), SQLITE_STATIC,
                                 SQLITE_UTF8);
    }
    int operator()(const Blob& blob) const {
      return sqlite3_bind_blob64(statement, position, blob.bytes.data(), blob.bytes.size(),
                                 SQLITE_STATIC);
    }
    int operator()(const IntegerList& list) const {
      const std::string json = json_array(list.values);
      return sqlite3_bind_text64(statement, position, json.data(), json.size(), SQLITE_TRANSIENT,
                                 SQLITE_UTF8);
    }
  };
  return std::visit(Binder{statement, position}, value);
}

Value column(sqlite3_stmt* statement, int index) {
  const auto bytes = [&](const void* data) {
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, index));
    return size == 0 ? std::string() : std::string(static_cast<const char*>(data), size);
  };
  switch (sqlite3_column_type(statement, index)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, index)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, index);
    case SQLITE_TEXT:
      return bytes(sqlite3_column_text(statement, index));
    case SQLITE_BLOB:
      return Blob{bytes(sqlite3_column_blob(statement, index))};
    default:
      return Null{};
  }
}

base::Result<void> check_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return {};
  if (text->find('\0') != std::string::npos) {
    return base::invalid_argument("a text with a NUL character; bytes belong into a blob");
  }
  if (!base::is_utf8(*text)) {
    return base::invalid_argument("a text that is not UTF-8; bytes belong into a blob");
  }
  return {};
}

base::ErrorCode code_of(int extended) {
  switch (extended & 0xff) {
    case SQLITE_CONSTRAINT:
      return extended == SQLITE_CONSTRAINT_UNIQUE || extended == SQLITE_CONSTRAINT_PRIMARYKEY ||
                     extended == SQLITE_CONSTRAINT_ROWID
                 ? base::ErrorCode::kAlreadyExists
                 : base::ErrorCode::kInvalidArgument;
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_RANGE:
      return base::ErrorCode::kInvalidArgument;
    case SQLITE_FULL:
    case SQLITE_NOMEM:
      return base::ErrorCode::kResourceExhausted;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return base::ErrorCode::kCorruption;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return base::ErrorCode::kPermissionDenied;
    case SQLITE_INTERRUPT:
      return base::ErrorCode::kCancelled;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
      return base::ErrorCode::kUnavailable;
    default:
      return base::ErrorCode::kInternal;
  }
}

std::string file_of(sqlite3* handle) {
  const char* file = handle == nullptr ? nullptr : sqlite3_db_filename(handle, "main");
  return file == nullptr || *file == '\0' ? "FILE" : file;
}

// Returns what happened to the file, and what to type next.
std::string damage_text(int code, const std::string& text, sqlite3* handle) {
  if ((code & 0xff) == SQLITE_NOTADB) {
    return "it is no database: another program wrote something else there. Check what it is; if "
           "nothing needs "
           "it, end all agents and put a backup in its place (`agents db backup` makes them), or "
           "remove it with its -wal and -shm to begin anew";
  }
  return "it is damaged or was cut short (" + text +
         "): end all agents, move it aside with its -wal and -shm, and put a backup in its place "
         "(`agents db backup` makes them); without one, `sqlite3 " +
         file_of(handle) + " .recover | sqlite3 NEW` saves what can be read";
}

}  // namespace

base::Error error_of(int code, sqlite3* handle) {
  std::string text = sqlite3_errstr(code);
  if (handle != nullptr && sqlite3_extended_errcode(handle) == code) text = sqlite3_errmsg(handle);
  if (code_of(code) == base::ErrorCode::kCorruption) {
    return base::corruption(damage_text(code, text, handle));
  }
  if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED) {
    text = "another program keeps the database to itself (" + text + ")";
  }
  if (const int system = handle == nullptr ? 0 : sqlite3_system_errno(handle);
      system != 0 && (code & 0xff) == SQLITE_IOERR) {
    text += ": " + std::generic_category().message(system);
    if (system == ENOSPC || system == EDQUOT || system == EFBIG) {
      return base::resource_exhausted(std::move(text));
    }
  }
  return {code_of(code), std::move(text)};
}

void Connection::Close::operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }
void Connection::Finalise::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

base::Result<std::unique_ptr<Connection>> Connection::open(const Options& options,
                                                           base::Clock& clock) {
  base::lock_rank::require_none("opening a database");
  const std::string name = options.file.empty() ? ":memory:" : options.file.string();
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                    (options.file.empty() ? SQLITE_OPEN_MEMORY | SQLITE_OPEN_CREATE : 0);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
  std::unique_ptr<sqlite3, Close> handle(raw);
  if (code != SQLITE_OK) return error_of(code, raw);
  std::unique_ptr<Connection> connection(new Connection(std::move(handle), options.stop));
  sqlite3_busy_handler(raw, wait_while_busy, connection.get());
  // A file made by another program must not run code in this one.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  // SQLite takes a pointer to non-const and passes it to now_function, which only reads.
  sqlite3_create_function_v2(raw, "clever_now", 0, SQLITE_UTF8, &clock, now_function, nullptr,
                             nullptr, nullptr);
  if (options.read_only) CLEVER_TRY(connection->script("PRAGMA query_only=ON"));
  return connection;
}

Connection::~Connection() = default;

int Connection::wait_while_busy(void* self, int attempts) {
  const auto& stop = static_cast<Connection*>(self)->stop_;
  if (attempts >= kBusyWaits || stop.stop_requested()) return 0;
  ::poll(nullptr, 0, kBusyWaitMilliseconds);
  return 1;
}

base::Result<Connection::Prepared*> Connection::prepared(std::string_view text) {
  if (const auto known = prepared_.find(text.data()); known != prepared_.end()) {
    return &known->second;
  }
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), text.data(), static_cast<int>(text.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  Prepared made{std::unique_ptr<sqlite3_stmt, Finalise>(raw), {}};
  if (code != SQLITE_OK) return error_of(code, handle_.get());
  const int count = sqlite3_bind_parameter_count(raw);
  made.positions.resize(static_cast<std::size_t>(count));
  for (int position = 1; position <= count; ++position) {
    const char* name = sqlite3_bind_parameter_name(raw, position);
    const std::string_view digits = name == nullptr ? "" : std::string_view(name).substr(1);
    std::size_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    CLEVER_CHECK(number >= 1 && number <= made.positions.size(),
                 "a statement's parameters are $1, $2, … without a gap");
    made.positions[number - 1] = position;
  }
  return &prepared_.emplace(text.data(), std::move(made)).first->second;
}

base::Result<void> Connection::bind(Prepared& prepared, const std::vector<Value>& parameters) {
  CLEVER_CHECK(prepared.positions.size() == parameters.size(),
               "a statement got another number of parameters than it names");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    CLEVER_TRY(check_text(parameters[i]));
    const int code = bind_value(prepared.statement.get(), prepared.positions[i], parameters[i]);
    if (code != SQLITE_OK) return error_of(code, handle_.get());
  }
  return {};
}

base::Result<Outcome> Connection::execute(const Statement& statement) {
  base::lock_rank::require_none("using a database");
  CLEVER_ASSIGN(Prepared * prepared, this->prepared(statement.sql.sqlite()));
  CLEVER_TRY(bind(*prepared, statement.parameters));
  auto outcome = step_to_end(prepared->statement.get());
  sqlite3_reset(prepared->statement.get());
  sqlite3_clear_bindings(prepared->statement.get());
  return outcome;
}

base::Result<Outcome> Connection::step_to_end(sqlite3_stmt* statement) {
  const int columns = sqlite3_column_count(statement);
  Outcome outcome{.rows = Rows(static_cast<std::size_t>(columns))};
  int code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
    for (int i = 0; i < columns; ++i) outcome.rows.push(column(statement, i));
  }
  if (code != SQLITE_DONE) return error_of(code, handle_.get());
  outcome.count = columns > 0 ? outcome.rows.size()
                              : static_cast<std::size_t>(sqlite3_changes64(handle_.get()));
  return outcome;
}

base::Result<bool> Connection::only_reads(const Statement& statement) {
  CLEVER_ASSIGN(Prepared * prepared, this->prepared(statement.sql.sqlite()));
  return sqlite3_stmt_readonly(prepared->statement.get()) != 0;
}

base::Result<void> Connection::script(const std::string& text) {
  base::lock_rank::require_none("using a database");
  const int code = sqlite3_exec(handle_.get(), text.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error_of(code, handle_.get());
  return {};
}

base::Result<std::string> Connection::ask(const std::string& text) {
  sqlite3_stmt* raw = nullptr;
  int code = sqlite3_prepare_v2(handle_.get(), text.c_str(), -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, Finalise> statement(raw);
  if (code == SQLITE_OK) code = sqlite3_step(raw);
  if (code != SQLITE_ROW && code != SQLITE_DONE) return error_of(code, handle_.get());
  const auto* answer = code == SQLITE_ROW ? sqlite3_column_text(raw, 0) : nullptr;
  if (answer == nullptr) return std::string();
  return std::string(reinterpret_cast<const char*>(answer));
}

bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

void Connection::roll_back() {
  if (in_transaction()) (void)script("ROLLBACK").ok();
}

void Connection::watch_log(std::function<void(int)> logged) {
  logged_ = std::move(logged);
  sqlite3_wal_hook(handle_.get(), log_grew, this);
}

int Connection::log_grew(void* self, sqlite3* /*handle*/, const char* /*schema*/, int pages) {
  static_cast<Connection*>(self)->logged_(pages);
  return SQLITE_OK;
}

base::Result<Connection::Log> Connection::checkpoint() {
  base::lock_rank::require_none("taking the log into the database");
  Log log;
  const int code = sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                                             &log.pages, &log.taken);
  if (code != SQLITE_OK) return error_of(code, handle_.get());
  return log;
}

base::Result<void> Connection::copy_to(
    Connection& target, const std::function<void(std::uint64_t, std::uint64_t)>& progress,
    const base::StopToken& stop) {
  sqlite3_backup* backup = sqlite3_backup_init(target.handle_.get(), "main", handle_.get(), "main");
  if (backup == nullptr) {
    return error_of(sqlite3_extended_errcode(target.handle_.get()), target.handle_.get());
  }
  int code = SQLITE_OK;
  while (code == SQLITE_OK && !stop.stop_requested()) {
    code = sqlite3_backup_step(backup, kPagesPerStep);
    const auto all = static_cast<std::uint64_t>(sqlite3_backup_pagecount(backup));
    progress(all - static_cast<std::uint64_t>(sqlite3_backup_remaining(backup)), all);
  }
  const int finished = sqlite3_backup_finish(backup);
  if (code == SQLITE_OK) return base::cancelled("stopped while copying the database");
  if (finished != SQLITE_OK) return error_of(finished, target.handle_.get());
  return {};
}

}  // namespace clever::storage::sqlite
