#include "crash/place.h"

#include <vector>

#include "base/random.h"
#include "storage/postgres/postgres_engine.h"
#include "storage/sqlite/sqlite_engine.h"

namespace clever::storage::crash {
namespace {

constexpr std::string_view kTables = R"sql(
CREATE TABLE crash_pair (        -- of every append
  tag INT64 NOT NULL PRIMARY KEY,
  plan BYTES NOT NULL,
  sequence INT64 NOT NULL
) TABLE_OPTIONS;
CREATE TABLE crash_left (
  tag INT64 NOT NULL PRIMARY KEY,
  content BYTES NOT NULL
) TABLE_OPTIONS;
CREATE TABLE crash_right (
  tag INT64 NOT NULL PRIMARY KEY,
  content BYTES NOT NULL
) TABLE_OPTIONS;
CREATE TABLE crash_counter (
  id INT64 NOT NULL PRIMARY KEY,
  value INT64 NOT NULL
) TABLE_OPTIONS;
CREATE TABLE crash_raise (
  counter INT64 NOT NULL,
  value INT64 NOT NULL,
  tag INT64 NOT NULL,
  PRIMARY KEY (counter, value)
) TABLE_OPTIONS;
CREATE TABLE crash_done (        -- of every job that was completed with other work
  tag INT64 NOT NULL PRIMARY KEY,
  attempt INT64 NOT NULL
) TABLE_OPTIONS;
INSERT INTO crash_counter VALUES (0, 0), (1, 0);
)sql";

constexpr std::string_view kUpgrade = R"sql(
ALTER TABLE crash_left ADD COLUMN size INT64 NOT NULL DEFAULT 0;
UPDATE crash_left SET size = length(content);
CREATE INDEX crash_left_by_size ON crash_left(size);
)sql";

std::vector<Migration> steps() {
  std::vector<Migration> all(schema().begin(), schema().end());
  all.push_back({std::ssize(all) + 1, "crash", kTables});
  all.push_back({std::ssize(all) + 1, "crash_upgrade", kUpgrade});
  return all;
}

}  // namespace

std::span<const Migration> upgraded_tables() {
  static const std::vector<Migration> kSteps = steps();
  return kSteps;
}

std::span<const Migration> tables() {
  return upgraded_tables().first(upgraded_tables().size() - 1);
}

base::Result<std::unique_ptr<Engine>> Place::open(base::Clock& clock,
                                                  std::span<const Migration> migrations) const {
  EngineOptions options;
  options.synchronous = synchronous;
  options.migrations = migrations;
  // So that a short load takes its log into the database again and again.
  options.log_pages = 2;
  CLEVER_ASSIGN(const DatabaseUrl address, DatabaseUrl::parse(url, folder));
  return is_postgres() ? open_postgres(address, options, clock)
                       : open_sqlite(address, options, clock);
}

base::Result<OwnerLock> Place::new_owner() const {
  base::SystemRandom random;
  const base::SystemClock clock;
  base::UlidGenerator ids(clock, random);
  return OwnerLock::acquire(owners(), model::OwnerId(ids.next()));
}

std::unique_ptr<base::Clock> clock_of(const Place& place, int run) {
  if (place.is_postgres()) return std::make_unique<base::SystemClock>();
  constexpr base::WallTime kStart{std::chrono::seconds{1'700'000'000}};
  return std::make_unique<base::SimulatedClock>(kStart + std::chrono::hours{24} * run);
}

model::PlanId plan_id(std::int32_t number) {
  base::Ulid::Bytes bytes{1};
  bytes[14] = static_cast<std::uint8_t>((number + 1) >> 8);
  bytes[15] = static_cast<std::uint8_t>(number + 1);
  return model::PlanId(base::Ulid(bytes));
}

}  // namespace clever::storage::crash
