// The journal on SQLite, synchronous=FULL, on the disk that holds the temporary folder. Measured,
// each beside its peer in the same run:
//   appends        64 plans, a strand each, append one event of 200 bytes after the other through
//                  Journal::submit() for the same time as
//     grouped      one connection that writes the same rows with prepared statements (the head's
//                  update and the event's insert) in transactions of 64, the most that 64 plans can
//                  fill, and
//     one_by_one   the same connection, a transaction per append.
//   growth         what an append costs with 10^3 and with 10^6 stored events (PLANS=64).
//   loading        a plan, after 10^2 and after 10^4 events.
//   one_plan       64 threads append to one plan, taking the head anew after each conflict:
//                  acknowledged appends beside events kept.
// Prints JSON; rates are per second, times in microseconds.

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/random.h"
#include "base/strand.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "storage/database_url.h"
#include "storage/journal.h"
#include "storage/keys.h"
#include "storage/leases.h"
#include "storage/owner_lock.h"
#include "storage/sqlite/sqlite_engine.h"

namespace {

using namespace clever;
using Seconds = std::chrono::duration<double>;
using SteadyClock = std::chrono::steady_clock;

constexpr int kPlans = 64;
const std::string kData = "{\"text\":\"" + std::string(189, 'x') + "\"}";

double seconds_since(SteadyClock::time_point begin) {
  return Seconds(SteadyClock::now() - begin).count();
}

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

// A store with plans whose leases are held.
class Store {
 public:
  explicit Store(const std::filesystem::path& folder)
      : file_(folder / "plans.db"),
        engine_(
            storage::open_sqlite(
                storage::DatabaseUrl::parse("sqlite:" + file_.string(), folder).value(), {}, clock_)
                .value()),
        journal_(*engine_, clock_),
        owner_(
            storage::OwnerLock::acquire(folder / "owners", model::OwnerId(ids_.next())).value()) {}

  struct Plan {
    model::PlanId id;
    std::int64_t epoch = 0;
    storage::Head head;
  };
  Plan new_plan() {
    const model::PlanId id(ids_.next());
    const auto lease = storage::Leases(*engine_).acquire(id, owner_, std::chrono::hours{1}).value();
    return {id, lease.epoch, {}};
  }
  static storage::Append append_to(const Plan& plan, int events = 1) {
    storage::Append append{.plan = plan.id, .expected = plan.head, .epoch = plan.epoch};
    append.events.assign(static_cast<std::size_t>(events), {.kind = "bench.noted", .data = kData});
    return append;
  }

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  storage::Engine& engine() { return *engine_; }
  storage::Journal& journal() { return journal_; }

 private:
  const std::filesystem::path file_;
  base::SystemClock clock_;
  base::SystemRandom random_;
  base::UlidGenerator ids_{clock_, random_};
  std::unique_ptr<storage::Engine> engine_;
  storage::Journal journal_;
  storage::OwnerLock owner_;
};

struct Appends {
  double rate = 0;
  double longest_wait = 0;
};

// One plan, driven as the engine drives plans: on its strand, the next append after the last.
struct Driver {
  Driver(Store& the_store, base::ThreadPool& pool)
      : store(the_store), plan(store.new_plan()), strand(pool) {}

  void next() {
    begun = SteadyClock::now();
    store.journal().submit(Store::append_to(plan), [this](base::Result<storage::Head> head) {
      strand.post([this, next_head = head.value()] { committed(next_head); }).value();
    });
  }
  void committed(const storage::Head& head) {
    plan.head = head;
    longest = std::max(longest, seconds_since(begun));
    ++done;
    if (SteadyClock::now() < until) return next();
    finished();
  }

  Store& store;
  Store::Plan plan;
  base::Strand strand;
  SteadyClock::time_point begun;
  SteadyClock::time_point until;
  double longest = 0;
  int done = 0;
  std::function<void()> finished;
};

Appends appends(Store& store, Seconds duration) {
  base::ThreadPool pool({.name = "bench", .threads = 2});
  std::vector<std::unique_ptr<Driver>> drivers;
  for (int i = 0; i < kPlans; ++i) drivers.push_back(std::make_unique<Driver>(store, pool));
  base::Monitor<int> running;
  running.update([](int& count) { count = kPlans; });
  const auto begin = SteadyClock::now();
  for (auto& driver : drivers) {
    driver->until = begin + std::chrono::duration_cast<SteadyClock::duration>(duration);
    driver->finished = [&] { running.update([](int& count) { --count; }); };
    driver->strand.post([&driver] { driver->next(); }).value();
  }
  running.wait({}, base::Deadline::never(), [](int count) { return count == 0; }).value();
  const double took = seconds_since(begin);
  Appends result;
  int done = 0;
  for (const auto& driver : drivers) {
    done += driver->done;
    result.longest_wait = std::max(result.longest_wait, driver->longest);
  }
  result.rate = done / took;
  return result;
}

// The peer: SQLite's own interface, one thread, nothing between.
class Raw {
 public:
  explicit Raw(const std::filesystem::path& file) {
    if (sqlite3_open(file.c_str(), &handle_) != SQLITE_OK) std::abort();
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    update_ = prepare(
        "UPDATE journal SET sequence = ?1, hash = ?2 WHERE plan = ?3 AND sequence = ?4 AND hash = "
        "?5 "
        "AND epoch = ?6");
    insert_ = prepare(
        "INSERT INTO event (plan, sequence, kind, version, epoch, time, data, hash) VALUES (?1, "
        "?2, "
        "?3, ?4, ?5, ?6, ?7, ?8)");
  }
  ~Raw() {
    sqlite3_finalize(update_);
    sqlite3_finalize(insert_);
    sqlite3_close(handle_);
  }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  void run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      std::fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(handle_));
      std::abort();
    }
  }
  void append(Store::Plan& plan) {
    const auto bytes = plan.id.ulid().bytes();
    const auto old = plan.head.hash.bytes();
    base::Sha256Digest::Bytes next{};
    std::memcpy(next.data(), &plan.head.sequence, sizeof plan.head.sequence);
    ++plan.head.sequence;
    bind_number(update_, 1, plan.head.sequence);
    bind_bytes(update_, 2, next.data(), next.size());
    bind_bytes(update_, 3, bytes.data(), bytes.size());
    bind_number(update_, 4, plan.head.sequence - 1);
    bind_bytes(update_, 5, old.data(), old.size());
    bind_number(update_, 6, plan.epoch);
    step(update_);
    if (sqlite3_changes(handle_) != 1) std::abort();
    bind_bytes(insert_, 1, bytes.data(), bytes.size());
    bind_number(insert_, 2, plan.head.sequence);
    sqlite3_bind_text(insert_, 3, "bench.noted", -1, SQLITE_STATIC);
    bind_number(insert_, 4, 1);
    bind_number(insert_, 5, plan.epoch);
    bind_number(insert_, 6, 1'700'000'000'000'000 + plan.head.sequence);
    bind_bytes(insert_, 7, kData.data(), kData.size());
    bind_bytes(insert_, 8, next.data(), next.size());
    step(insert_);
    plan.head.hash = base::Sha256Digest(next);
  }

 private:
  sqlite3_stmt* prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr) != SQLITE_OK) std::abort();
    return statement;
  }
  static void bind_number(sqlite3_stmt* statement, int at, std::int64_t number) {
    sqlite3_bind_int64(statement, at, number);
  }
  static void bind_bytes(sqlite3_stmt* statement, int at, const void* data, std::size_t size) {
    sqlite3_bind_blob(statement, at, data, static_cast<int>(size), SQLITE_STATIC);
  }
  static void step(sqlite3_stmt* statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) std::abort();
    sqlite3_reset(statement);
  }

  sqlite3* handle_ = nullptr;
  sqlite3_stmt* update_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

double raw_appends(std::vector<Store::Plan> plans, const std::filesystem::path& file, int group,
                   Seconds duration) {
  Raw raw(file);
  const auto begin = SteadyClock::now();
  int done = 0;
  std::size_t turn = 0;
  while (seconds_since(begin) < duration.count()) {
    raw.run("BEGIN IMMEDIATE");
    for (int i = 0; i < group; ++i, ++done) raw.append(plans[turn++ % plans.size()]);
    raw.run("COMMIT");
  }
  return done / seconds_since(begin);
}

double raw_on_new_store(int group, Seconds duration) {
  const Scratch scratch;
  std::vector<Store::Plan> plans;
  std::filesystem::path file;
  {
    Store store(scratch / "");
    for (int i = 0; i < kPlans; ++i) plans.push_back(store.new_plan());
    file = store.file();
  }
  return raw_appends(plans, file, group, duration);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void print_appends(int rounds, Seconds duration) {
  std::vector<double> ours;
  std::vector<double> grouped;
  std::vector<double> single;
  double longest = 0;
  for (int i = 0; i < rounds; ++i) {
    {
      const Scratch scratch;
      Store store(scratch / "");
      const auto result = appends(store, duration);
      ours.push_back(result.rate);
      longest = std::max(longest, result.longest_wait);
    }
    grouped.push_back(raw_on_new_store(kPlans, duration));
    single.push_back(raw_on_new_store(1, duration));
  }
  std::printf(
      "\"appends\": {\"ours_per_s\": %.0f, \"raw_grouped_per_s\": %.0f, "
      "\"raw_one_by_one_per_s\": %.0f, \"ours_over_grouped\": %.2f, \"ours_over_one_by_one\": "
      "%.1f, "
      "\"longest_wait_us\": %.0f}",
      median(ours), median(grouped), median(single), median(ours) / median(grouped),
      median(ours) / median(single), longest * 1e6);
}

void print_growth(std::int64_t many) {
  const Scratch scratch;
  Store store(scratch / "");
  const auto cost = [&] { return 1e6 / appends(store, Seconds(2)).rate; };
  const double few_cost = cost();
  auto plan = store.new_plan();
  const auto stored = [&] {
    return store.engine().query("SELECT count(*) FROM event").value()[0].integer(0);
  };
  while (stored() < many) {
    for (int i = 0; i < 100; ++i) {
      plan.head = store.journal().append(Store::append_to(plan, 1'000)).value();
      if (i % 20 == 19) plan = store.new_plan();
    }
  }
  std::printf(
      ", \"growth\": {\"us_per_append_at_first\": %.1f, \"events\": %lld, "
      "\"us_per_append_then\": %.1f}",
      few_cost, static_cast<long long>(stored()), cost());
}

void print_loading() {
  const Scratch scratch;
  Store store(scratch / "");
  std::printf(", \"loading\": {");
  const char* separator = "";
  for (const int events : {100, 10'000}) {
    auto plan = store.new_plan();
    for (int done = 0; done < events; done += 100) {
      auto append = Store::append_to(plan, 100);
      plan.head = store.journal().append(std::move(append)).value();
    }
    std::vector<double> times;
    for (int i = 0; i < 21; ++i) {
      const auto begin = SteadyClock::now();
      if (std::ssize(store.journal().load(plan.id).value().events) < events) std::abort();
      times.push_back(seconds_since(begin) * 1e6);
    }
    std::printf("%s\"us_after_%d_events\": %.1f", separator, events, median(times));
    separator = ", ";
  }
  std::printf("}");
}

void print_one_plan(int writers, Seconds duration) {
  const Scratch scratch;
  Store store(scratch / "");
  auto plan = store.new_plan();
  base::Guarded<long long> acknowledged;
  base::Guarded<long long> refused;
  {
    std::vector<std::unique_ptr<base::Thread>> threads;
    const auto begin = SteadyClock::now();
    for (int i = 0; i < writers; ++i) {
      threads.push_back(std::make_unique<base::Thread>("writer", [&](const base::StopToken&) {
        while (seconds_since(begin) < duration.count()) {
          auto mine = plan;
          mine.head = store.journal().state(plan.id).value().head;
          const bool kept = store.journal().append(Store::append_to(mine)).ok();
          (kept ? acknowledged : refused).with([](long long& count) { ++count; });
        }
      }));
    }
  }
  const auto events = store.engine().query("SELECT count(*) FROM event").value()[0].integer(0);
  std::printf(
      ", \"one_plan\": {\"writers\": %d, \"acknowledged\": %lld, \"kept\": %lld, "
      "\"refused_as_stale\": %lld}",
      writers, acknowledged.with([](long long count) { return count; }),
      static_cast<long long>(events), refused.with([](long long count) { return count; }));
}

}  // namespace

int main() {
  std::printf("{");
  print_appends(5, Seconds(2));
  print_growth(1'000'000);
  print_loading();
  print_one_plan(64, Seconds(2));
  std::printf("}\n");
}
