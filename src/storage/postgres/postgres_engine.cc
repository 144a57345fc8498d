#include "storage/postgres/postgres_engine.h"

#include <string>
#include <utility>
#include <vector>

#include "base/lock_rank.h"
#include "base/thread.h"
#include "base/ulid.h"
#include "storage/internal/queued_engine.h"
#include "storage/postgres/internal/connector.h"
#include "storage/postgres/internal/listener.h"
#include "storage/postgres/internal/maintenance.h"
#include "storage/postgres/internal/migrations.h"
#include "storage/postgres/internal/reader_pool.h"
#include "storage/postgres/internal/snapshot.h"
#include "storage/postgres/internal/writer.h"

namespace clever::storage {
namespace {

using namespace postgres;

/// The threads: writers, which live until the queue is closed and empty, and one listener.
class PostgresEngine final : public internal::QueuedEngine {
 public:
  /// How long the destructor waits for the server to answer accepted units. After that, units get
  /// `unavailable`. For a unit whose COMMIT was under way the message says that its outcome is
  /// unknown; no other message says so.
  static constexpr std::chrono::seconds kClosing{10};

  PostgresEngine(std::unique_ptr<base::Random> random, std::shared_ptr<const Libpq> libpq,
                 const DatabaseUrl& url, const EngineOptions& options, base::Clock& clock,
                 std::string name)
      : random_(std::move(random)),
        connector_(std::move(libpq), url, options.synchronous == Synchronous::kFull, clock,
                   *random_),
        readers_(std::max<std::size_t>(options.readers, 1)),
        listener_(connector_, notifications(), name),
        share_{.connector = connector_,
               .queue = queue(),
               .notifications = notifications(),
               .name = std::move(name),
               .group = std::max<std::size_t>(options.group, 1),
               .abandon = abandon_.token()} {}

  ~PostgresEngine() override {
    queue().close();
    const auto finished = writing_.wait({}, base::Deadline::after(connector_.clock(), kClosing),
                                        [](std::size_t writing) { return writing == 0; });
    if (!finished.ok()) abandon_.request_stop();
    threads_.clear();
  }
  PostgresEngine(const PostgresEngine&) = delete;
  PostgresEngine& operator=(const PostgresEngine&) = delete;

  base::Result<void> start(const EngineOptions& options, const base::StopToken& stop) {
    const Patience patience{.stop = stop};
    CLEVER_ASSIGN(const auto connection, connector_.connect(Purpose::kOther, patience));
    CLEVER_ASSIGN(share_.schema_version, migrate(*connection, options.migrations, patience));
    const std::size_t writers = std::max<std::size_t>(options.writers, 1);
    writing_.update([&](std::size_t& writing) { writing = writers; });
    for (std::size_t i = 0; i < writers; ++i) {
      threads_.push_back(
          std::make_unique<base::Thread>("pg writer", [this](const base::StopToken&) { write(); }));
    }
    threads_.push_back(std::make_unique<base::Thread>(
        "pg listener", [this](const base::StopToken& stopping) { listener_.run(stopping); }));
    return {};
  }

  base::Result<void> read(const Read& read, const base::StopToken& stop,
                          base::Deadline deadline) override {
    base::lock_rank::require_none("reading a database");
    const Patience patience{.stop = stop, .deadline = deadline};
    CLEVER_ASSIGN(auto reader, readers_.acquire(patience));
    PostgresSnapshot snapshot(connector_, reader, patience);
    return read(snapshot);
  }

  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic,
                                                        std::function<void()> wake) override {
    auto subscription = QueuedEngine::subscribe(std::move(topic), std::move(wake));
    listener_.want();
    return subscription;
  }

  [[nodiscard]] base::Result<EngineFacts> facts() override {
    CLEVER_ASSIGN(const auto connection, connector_.connect(Purpose::kOther, {}));
    return read_facts(*connection, connector_.address(), {});
  }

  base::Result<void> check_integrity(const Progress& progress,
                                     const base::StopToken& stop) override {
    const Patience patience{.stop = stop};
    CLEVER_ASSIGN(const auto connection, connector_.connect(Purpose::kOther, patience));
    return check_tables(*connection, progress, patience);
  }

  base::Result<void> backup(const std::filesystem::path& target, const Progress&,
                            const base::StopToken&) override {
    return backup_refused(connector_.address(), target);
  }

  base::Result<void> vacuum(const Progress& progress, const base::StopToken& stop) override {
    const Patience patience{.stop = stop};
    CLEVER_ASSIGN(const auto connection, connector_.connect(Purpose::kOther, patience));
    return vacuum_tables(*connection, progress, patience);
  }

 private:
  void write() {
    Writer(share_).run();
    writing_.update([](std::size_t& writing) { --writing; });
  }

  // Constant after construction.
  const std::unique_ptr<base::Random> random_;
  const Connector connector_;
  // Thread-safe.
  base::StopSource abandon_;
  ReaderPool readers_;
  Listener listener_;
  WritersShare share_;
  base::Monitor<std::size_t> writing_;
  std::vector<std::unique_ptr<base::Thread>> threads_;
};

std::string new_name(base::Clock& clock, base::Random& random) {
  return base::UlidGenerator(clock, random).next().to_string();
}

}  // namespace

base::Result<std::unique_ptr<Engine>> open_postgres(const DatabaseUrl& url,
                                                    const EngineOptions& options,
                                                    base::Clock& clock,
                                                    const base::StopToken& stop) {
  base::lock_rank::require_none("opening a database");
  if (!std::holds_alternative<DatabaseUrl::Postgres>(url.address())) {
    return base::invalid_argument(url.normalised() + " is no PostgreSQL database");
  }
  CLEVER_ASSIGN(auto libpq, Libpq::load());
  auto random = std::make_unique<base::SystemRandom>();
  std::string name = new_name(clock, *random);
  auto engine = std::make_unique<PostgresEngine>(std::move(random), std::move(libpq), url, options,
                                                 clock, std::move(name));
  CLEVER_TRY(engine->start(options, stop));
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace clever::storage
