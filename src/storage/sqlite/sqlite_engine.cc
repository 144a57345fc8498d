#include "storage/sqlite/sqlite_engine.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/crash_point.h"
#include "base/guarded.h"
#include "base/thread.h"
#include "io/file.h"
#include "io/file_watch.h"
#include "storage/internal/queued_engine.h"
#include "storage/sqlite/internal/checkpointer.h"
#include "storage/sqlite/internal/commit_mark.h"
#include "storage/sqlite/internal/database_file.h"
#include "storage/sqlite/internal/file_guard.h"
#include "storage/sqlite/internal/group.h"
#include "storage/sqlite/internal/maintenance.h"
#include "storage/sqlite/internal/migration_target.h"
#include "storage/sqlite/internal/reader_pool.h"

namespace clever::storage {
namespace sqlite {
namespace {

constexpr std::size_t kGroupBytes = std::size_t{32} << 20U;
// A process that dies between its commit and its touch of the lock file wakes no one: others look
// by themselves this often.
constexpr auto kLookAnyway = std::chrono::seconds{1};
// A commit costs about the same for one unit as for ten. If one follows another more closely than
// this, it waits for more units, unless there are enough.
constexpr auto kPace = std::chrono::milliseconds{1};
constexpr std::size_t kWorthIt = 16;
// Our own commits touch the lock file too: one look covers touches that come this close together.
constexpr auto kBetweenLooks = std::chrono::milliseconds{2};

base::Result<bool> pause(const base::StopToken& stop, base::Duration patience) {
  base::SystemClock clock;
  base::Monitor<bool> nothing;
  const auto until = base::Deadline::after(clock, patience);
  static_cast<void>(nothing.wait(stop, until, [](bool happened) { return happened; }).ok());
  return false;
}

// Returns the keys of the committed units, sorted and unique.
std::vector<std::uint64_t> topics_of(const std::vector<internal::Pending>& units,
                                     const std::vector<base::Result<Receipt>>& answers) {
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!answers[i].ok()) continue;
    for (const std::string& topic : units[i].unit.topics()) {
      keys.push_back(internal::topic_key(topic));
    }
  }
  std::ranges::sort(keys);
  const auto repeated = std::ranges::unique(keys);
  keys.erase(repeated.begin(), repeated.end());
  return keys;
}

// Adds the file's name to errors of the database.
void name_file(std::vector<base::Result<Receipt>>& answers, const std::filesystem::path& file) {
  using enum base::ErrorCode;
  for (auto& answer : answers) {
    if (answer.ok() || file.empty()) continue;
    const base::ErrorCode code = answer.error().code();
    if (code == kUnavailable || code == kPermissionDenied || code == kCorruption) {
      answer.error().add_context("writing the database " + file.string());
    }
  }
}

class ConnectionSnapshot final : public Snapshot {
 public:
  explicit ConnectionSnapshot(Connection& connection) : connection_(connection) {}
  using Snapshot::query;
  base::Result<Rows> query(const Statement& statement) override {
    CLEVER_ASSIGN(const bool only_reads, connection_.only_reads(statement));
    if (!only_reads) return base::invalid_argument("a read that would write");
    CLEVER_ASSIGN(auto outcome, connection_.execute(statement));
    return std::move(outcome.rows);
  }
  Connection& connection() { return connection_; }

 private:
  Connection& connection_;
};

/// One writer thread owns the writing connection and the process's place in the queue of processes.
/// Readers have connections of their own (files), or take turns with the writer (memory: such a
/// database belongs to one connection).
class SqliteEngine final : public internal::QueuedEngine {
 public:
  SqliteEngine(std::string address, OpenDatabase database, const EngineOptions& options,
               base::Clock& clock, std::unique_ptr<base::StopSource> closing);
  ~SqliteEngine() override;

  base::Result<void> read(const Read& read, const base::StopToken& stop,
                          base::Deadline deadline) override;
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic,
                                                        std::function<void()> wake) override;
  [[nodiscard]] base::Result<EngineFacts> facts() override;
  base::Result<void> check_integrity(const Progress& progress,
                                     const base::StopToken& stop) override;
  base::Result<void> backup(const std::filesystem::path& target, const Progress& progress,
                            const base::StopToken& stop) override;
  base::Result<void> vacuum(const Progress& progress, const base::StopToken& stop) override;

 private:
  using Use = std::function<base::Result<void>(Connection&)>;
  [[nodiscard]] bool in_memory() const { return file_.empty(); }
  base::Result<void> use_reader(const Use& use, const base::StopToken& stop,
                                base::Deadline deadline);
  base::Result<void> use_writer(const Use& use, const base::StopToken& stop,
                                base::Deadline deadline);
  void write(const base::StopToken& stop);
  void gather(const base::StopToken& stop);
  void write_next(const base::StopToken& stop);
  void run_tasks(std::vector<internal::Pending>& pending);
  // Returns an error once another program took the file away.
  base::Result<void> check_file();
  // `topics`: those of the committed units.
  std::vector<base::Result<Receipt>> run_units(const std::vector<internal::Pending>& units,
                                               std::vector<std::uint64_t>& topics);
  static void answer(std::vector<internal::Pending>& units,
                     std::vector<base::Result<Receipt>> answers);
  void watch_others(const base::StopToken& stop);

  // Constant after construction.
  const std::string address_;
  const std::filesystem::path file_;
  const std::int64_t schema_version_;
  const std::size_t group_;
  base::Clock& clock_;
  const std::unique_ptr<base::StopSource> closing_;
  // Owned by the writer's thread.
  std::optional<io::ProcessMutex> turn_;
  std::unique_ptr<Connection> connection_;
  std::optional<FileGuard> guard_;  // none in memory
  std::optional<CommitMark> mark_;  // none in memory: no other process can open it
  base::TimePoint begun_{};         // when the last group began
  std::optional<Checkpointer> checkpointer_;
  // Thread-safe by themselves.
  ReaderPool readers_;
  base::Guarded<bool> watching_;
  std::optional<base::Thread> watcher_;  // started by the first subscriber
  std::optional<base::Thread> writer_;
};

SqliteEngine::SqliteEngine(std::string address, OpenDatabase database, const EngineOptions& options,
                           base::Clock& clock, std::unique_ptr<base::StopSource> closing)
    : address_(std::move(address)),
      file_(std::move(database.file)),
      schema_version_(database.schema_version),
      group_(options.group),
      clock_(clock),
      closing_(std::move(closing)),
      turn_(std::move(database.turn)),
      connection_(std::move(database.connection)),
      readers_(file_, options.readers, closing_->token(), clock) {
  if (!in_memory()) guard_.emplace(file_);
  if (database.numbers) mark_.emplace(std::move(*database.numbers));
  if (database.watches_log) {
    checkpointer_.emplace(options.log_pages,
                          [this](const base::StopToken& stop) { copy_log(file_, clock_, stop); });
    connection_->watch_log([this](int pages) { checkpointer_->offer(pages); });
  }
  writer_.emplace("sqlite-writer", [this](const base::StopToken& stop) { write(stop); });
}

SqliteEngine::~SqliteEngine() {
  queue().close();
  closing_->request_stop();
  writer_.reset();
  watcher_.reset();
  checkpointer_.reset();
  // The last connection to close checkpoints the log, as a writer does in its turn.
  const bool mine = turn_ && turn_->lock(closing_->token()).ok();
  base::crash_point("storage.closing");
  // No caller is left to receive the error, but the content is saved.
  static_cast<void>(check_file().ok());
  connection_.reset();
  base::crash_point("storage.closed");
  if (mine) turn_->unlock();
}

void SqliteEngine::write(const base::StopToken& stop) {
  while (queue().wait({}).ok()) {
    gather(stop);
    begun_ = clock_.now();
    write_next(stop);
  }
}

void SqliteEngine::gather(const base::StopToken& stop) {
  const base::Duration left = begun_ + kPace - clock_.now();
  // Nothing is synced in memory.
  if (in_memory() || left <= base::Duration::zero() || queue().waiting() >= kWorthIt) return;
  static_cast<void>(pause(stop, std::min<base::Duration>(left, kPace)).ok());
}

// Takes the turn among processes before the units: until then callers can withdraw units, and more
// of them share the transaction.
void SqliteEngine::write_next(const base::StopToken& stop) {
  const auto turn = turn_ ? turn_->lock(stop) : base::Result<void>();
  const auto ready = turn.ok() ? check_file() : turn;
  if (ready.ok() && checkpointer_) {
    checkpointer_->take_rest([this] { static_cast<void>(connection_->checkpoint().ok()); });
  }
  std::vector<internal::Pending> units = queue().take(group_, kGroupBytes);
  if (!ready.ok()) {
    if (turn.ok() && turn_) turn_->unlock();
    for (auto& unit : units) unit.done(ready.error());
    return;
  }
  run_tasks(units);
  std::vector<std::uint64_t> topics;
  auto answers = run_units(units, topics);
  if (turn_) turn_->unlock();
  base::crash_point("storage.unlocked");
  answer(units, std::move(answers));
  notifications().publish_keys(topics);
}

// Runs and answers the tasks and leaves the units. (Tasks see the state before the units.)
void SqliteEngine::run_tasks(std::vector<internal::Pending>& pending) {
  ConnectionSnapshot snapshot(*connection_);
  std::erase_if(pending, [&](internal::Pending& one) {
    if (!one.task) return false;
    auto done = one.task(snapshot);
    connection_->roll_back();
    if (done.ok()) {
      one.done(Receipt{});
    } else {
      one.done(std::move(done).error());
    }
    return true;
  });
}

base::Result<void> SqliteEngine::check_file() {
  if (!guard_) return {};
  return guard_->check(*connection_, clock_);
}

std::vector<base::Result<Receipt>> SqliteEngine::run_units(
    const std::vector<internal::Pending>& units, std::vector<std::uint64_t>& topics) {
  if (units.empty()) return {};
  const bool marked = mark_ && std::ranges::any_of(units, [](const internal::Pending& unit) {
                        return !unit.unit.topics().empty();
                      });
  if (marked) mark_->begin();
  base::crash_point("storage.marked");
  auto answers = run_group(*connection_, schema_version_, units);
  name_file(answers, file_);
  // Never acknowledges what went into a file without a name.
  if (const auto there = check_file(); !there.ok()) {
    answers.assign(units.size(), base::Result<Receipt>(there.error()));
  }
  topics = topics_of(units, answers);
  if (marked) mark_->end(topics);
  base::crash_point("storage.unmarked");
  return answers;
}

void SqliteEngine::answer(std::vector<internal::Pending>& units,
                          std::vector<base::Result<Receipt>> answers) {
  for (std::size_t i = 0; i < units.size(); ++i) units[i].done(std::move(answers[i]));
}

base::Result<void> SqliteEngine::use_writer(const Use& use, const base::StopToken& stop,
                                            base::Deadline deadline) {
  internal::Pending pending;
  pending.task = [&use](Snapshot& snapshot) {
    return use(static_cast<ConnectionSnapshot&>(snapshot).connection());
  };
  CLEVER_TRY(settle(std::move(pending), stop, deadline));
  return {};
}

base::Result<void> SqliteEngine::use_reader(const Use& use, const base::StopToken& stop,
                                            base::Deadline deadline) {
  if (in_memory()) return use_writer(use, stop, deadline);
  // The writer knows the reason, and where the content was saved.
  if (!guard_->is_there()) {
    CLEVER_TRY(use_writer([](Connection&) { return base::Result<void>(); }, stop, deadline));
  }
  CLEVER_ASSIGN(auto reader, readers_.borrow(stop, deadline));
  return use(*reader);
}

base::Result<void> SqliteEngine::read(const Read& read, const base::StopToken& stop,
                                      base::Deadline deadline) {
  return use_reader(
      [&](Connection& connection) -> base::Result<void> {
        CLEVER_TRY(connection.run("BEGIN"));
        ConnectionSnapshot snapshot(connection);
        auto result = read(snapshot);
        connection.roll_back();
        return result;
      },
      stop, deadline);
}

std::unique_ptr<Subscription> SqliteEngine::subscribe(std::string topic,
                                                      std::function<void()> wake) {
  auto subscription = QueuedEngine::subscribe(std::move(topic), std::move(wake));
  const bool first = mark_ && !watching_.with([](bool& on) { return std::exchange(on, true); });
  if (first) {
    watcher_.emplace("sqlite-watcher", [this](const base::StopToken& stop) { watch_others(stop); });
  }
  return subscription;
}

void SqliteEngine::watch_others(const base::StopToken& stop) {
  auto watch = io::FileWatch::open(lock_file_of(file_));
  while (true) {
    // Where files cannot be watched, polls.
    const auto changed = watch.ok() ? watch->wait(stop, kLookAnyway) : pause(stop, kLookAnyway);
    if (stop.stop_requested()) return;
    const CommitMark::News news = mark_->news();
    const bool died_under_way = changed.ok() && !*changed && mark_->under_way();
    if (news.everything || died_under_way) {
      notifications().publish_all();
    } else {
      notifications().publish_keys(news.topics);
    }
    static_cast<void>(pause(stop, kBetweenLooks).ok());
  }
}

base::Result<EngineFacts> SqliteEngine::facts() {
  EngineFacts facts{.dialect = Dialect::kSqlite,
                    .version = std::string("SQLite ") + sqlite3_libversion(),
                    .address = address_,
                    .schema_version = schema_version_};
  const auto measure = [&](Connection& connection) -> base::Result<void> {
    CLEVER_ASSIGN(facts.size_in_bytes, size_in_bytes(connection));
    return {};
  };
  CLEVER_TRY(use_reader(measure, {}, base::Deadline::never()));
  return facts;
}

base::Result<void> SqliteEngine::check_integrity(const Progress& progress,
                                                 const base::StopToken& stop) {
  return use_reader(
      [&](Connection& connection) { return sqlite::check_integrity(connection, progress, stop); },
      stop, base::Deadline::never());
}

base::Result<void> SqliteEngine::backup(const std::filesystem::path& target,
                                        const Progress& progress, const base::StopToken& stop) {
  if (io::file_kind(target) != io::FileKind::kMissing) {
    return base::already_exists(target.string() +
                                " exists already; name a new file for the backup");
  }
  const auto copy = [&](Connection& connection) -> base::Result<void> {
    // One view from the first page to the last, regardless of how long the copy takes.
    CLEVER_TRY(connection.run("BEGIN"));
    CLEVER_TRY(connection.run("SELECT count(*) FROM sqlite_schema"));
    return copy_database(
        connection, target, clock_,
        [&](std::uint64_t done, std::uint64_t all) { progress("copying pages", done, all); }, stop);
  };
  return use_reader(copy, stop, base::Deadline::never());
}

base::Result<void> SqliteEngine::vacuum(const Progress& progress, const base::StopToken& stop) {
  return use_writer(
      [&](Connection& connection) { return sqlite::vacuum(connection, progress, stop); }, stop,
      base::Deadline::never());
}

}  // namespace

base::Result<OpenDatabase> open_database(const DatabaseUrl& url, const EngineOptions& options,
                                         base::Clock& clock, const base::StopToken& closing) {
  if (const auto* file = std::get_if<DatabaseUrl::File>(&url.address())) {
    return open_file(file->path, options, clock, closing);
  }
  return open_memory(options, clock);
}

}  // namespace sqlite

base::Result<std::unique_ptr<Engine>> open_sqlite(const DatabaseUrl& url,
                                                  const EngineOptions& options, base::Clock& clock,
                                                  const base::StopToken& stop) {
  auto closing = std::make_unique<base::StopSource>();
  base::Result<sqlite::OpenDatabase> database = [&] {
    const base::StopCallback on_stop(stop, [&] { closing->request_stop(); });
    return sqlite::open_database(url, options, clock, closing->token());
  }();
  if (!database.ok()) return std::move(database).error();
  if (closing->stop_requested()) return base::cancelled("stopped while opening the database");
  return std::make_unique<sqlite::SqliteEngine>(url.normalised(), std::move(database).value(),
                                                options, clock, std::move(closing));
}

}  // namespace clever::storage
