// Jobs on PostgreSQL: ours beside graphile-worker, pg-boss and, for the latency, BullMQ on Redis,
// on one server in one run. Prints JSON.
//
//   throughput   jobs claimed, run (they do nothing) and completed per second
//   latency      from before a job is enqueued until it begins, with an idle worker
//   decay        throughput in the first and in the last fifth of a time during which another
//                transaction stays open, which keeps PostgreSQL from removing dead rows; as a share
//                of what another database of the server, without such a transaction, does
//                meanwhile, so that whatever else the machine is busy with hits both
//
// storage_jobs [--jobs N] [--repetitions N] [--decay SECONDS] [--peers FOLDER] [--redis PORT]
// FOLDER is where bench/peers/jobs has installed the peers; without it only ours is measured.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "io/process.h"
#include "storage/database_url.h"
#include "storage/postgres/postgres_engine.h"
#include "support/postgres_server.h"
#include "worker/async_worker.h"
#include "worker/job_queue.h"

namespace clever {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kBatch = 1000;
constexpr std::size_t kFeed = 10'000;

struct Options {
  std::size_t jobs = 60'000;
  std::size_t repetitions = 3;
  seconds decay{30};
  std::string peers;
  std::string redis;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--jobs") options.jobs = std::stoul(value);
    if (name == "--repetitions") options.repetitions = std::stoul(value);
    if (name == "--decay") options.decay = seconds{std::stol(value)};
    if (name == "--peers") options.peers = value;
    if (name == "--redis") options.redis = value;
  }
  return options;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

// One database with our schema, and what a worker needs.
class Ours {
 public:
  explicit Ours(const test::PostgresServer& server) : database_(server) {
    const auto url = storage::DatabaseUrl::parse(database_.url(), "/nonexistent").value();
    engine_ = storage::open_postgres(url, {}, clock_).value();
    jobs_.emplace(*engine_, clock_, random_);
  }

  void enqueue(std::size_t count) {
    std::vector<worker::NewJob> batch(std::min(count, kBatch));
    for (auto& job : batch) job.body = R"({"i":12345})";
    for (std::size_t done = 0; done < count; done += batch.size()) jobs_->enqueue(batch).value();
  }

  // Runs jobs that do nothing until so many are done; jobs per second.
  double run(std::size_t count) {
    enqueue(count);
    base::Monitor<std::size_t> done;
    const auto began = clock_.now();
    const auto worker = start([&](worker::Finish finish) {
      finish({});
      done.update([](std::size_t& n) { ++n; });
    });
    done.wait({}, base::Deadline::never(), [&](std::size_t n) { return n >= count; }).value();
    worker->drain().value();
    return static_cast<double>(count) / duration<double>(clock_.now() - began).count();
  }

  // Milliseconds, each with an idle worker.
  std::vector<double> latencies(std::size_t count) {
    base::Monitor<std::optional<base::TimePoint>> started;
    const auto worker = start([&](worker::Finish finish) {
      const auto now = clock_.now();
      started.update([&](auto& s) { s = now; });
      finish({});
    });
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) {
      const auto began = clock_.now();
      enqueue(1);
      base::TimePoint at;
      started
          .update_when(
              {}, [](const auto& s) { return s.has_value(); },
              [&](auto& s) { at = *std::exchange(s, std::nullopt); })
          .value();
      result.push_back(duration<double, std::milli>(at - began).count());
      wait_idle();
    }
    return result;
  }

  // Jobs in each second while jobs keep coming; beside an open transaction or not.
  std::vector<double> rates(seconds time, bool beside_open_transaction) {
    base::Monitor<bool> over;
    base::Monitor<std::size_t> done;
    base::Thread open("open", [&](const base::StopToken&) {
      if (beside_open_transaction) keep_open(over);
    });
    base::Thread feed("feed", [&](const base::StopToken& stop) {
      for (std::size_t added = 0; !stop.stop_requested(); added += kFeed) {
        feed_once();
        // A backlog, but a bounded one.
        const auto enough = [&](std::size_t n) { return n + 5 * kFeed > added; };
        if (!done.wait(stop, base::Deadline::never(), enough)) return;
      }
    });
    const auto worker = start([&](worker::Finish finish) {
      finish({});
      done.update([](std::size_t& n) { ++n; });
    });
    std::vector<double> result;
    std::size_t before = 0;
    for (auto second = seconds{0}; second < time; ++second) {
      pause(seconds{1});
      const std::size_t now = done.read([](std::size_t n) { return n; });
      result.push_back(static_cast<double>(now - before));
      before = now;
    }
    feed.request_stop();
    feed.join();
    over.update([](bool& o) { o = true; });
    return result;
  }

 private:
  template <class F>
  std::unique_ptr<worker::AsyncWorker> start(F run) {
    base::Ulid::Bytes name{};
    name.back() = ++owners_;
    return std::make_unique<worker::AsyncWorker>(
        *jobs_, pool_, timers_, clock_,
        [run](const worker::Job&, const base::StopToken&, worker::Finish finish) {
          run(std::move(finish));
        },
        worker::AsyncWorker::Options{
            .owner = model::OwnerId(base::Ulid(name)), .buffer = 500, .parallel = 64});
  }

  void keep_open(base::Monitor<bool>& over) {
    engine_
        ->read([&](storage::Snapshot& snapshot) -> base::Result<void> {
          CLEVER_TRY(snapshot.query("SELECT count(*) FROM job"));
          return over.wait({}, base::Deadline::never(), [](bool o) { return o; });
        })
        .value();
  }

  // By the server itself: what is measured is not how fast jobs come.
  void feed_once() {
    storage::UnitOfWork unit;
    unit.run(
        "INSERT INTO job (queue, priority, ready, state, attempts, max_attempts, expires, body,"
        " enqueued) SELECT 'default', 2, clever_now(), 0, 0, 10, 0, '{}', clever_now()"
        " FROM generate_series(1, $1::bigint)",
        kFeed);
    unit.notify("jobs/default");
    engine_->commit(std::move(unit)).value();
  }

  void wait_idle() {
    while (jobs_->counts("default").value() != worker::Counts{}) pause(milliseconds{1});
    pause(milliseconds{2});
  }

  void pause(base::Duration time) {
    base::Monitor<int> nothing;
    const auto over =
        nothing.wait({}, base::Deadline::after(clock_, time), [](int) { return false; });
    if (over) std::abort();
  }

  base::SystemClock clock_;
  base::SystemRandom random_;
  test::PostgresDatabase database_;
  std::unique_ptr<storage::Engine> engine_;
  std::optional<worker::JobQueue> jobs_;
  base::ThreadPool pool_{{.name = "pool", .threads = 1}};
  base::TimerQueue timers_{clock_};
  std::uint8_t owners_ = 0;
};

// What a peer's script prints: "NAME NUMBER" lines.
std::map<std::string, double> peer(const Options& options, const std::string& script,
                                   std::vector<std::string> arguments) {
  io::ProcessOptions process;
  process.argv = {options.peers + "/node", options.peers + "/" + script};
  std::ranges::move(arguments, std::back_inserter(process.argv));
  process.working_directory = options.peers;
  const auto result = io::run_process(process).value();
  if (!result.succeeded()) {
    std::cerr << script << " failed:\n" << result.output << result.error_output;
    std::exit(1);
  }
  std::map<std::string, double> numbers;
  std::istringstream lines(result.output);
  std::string name;
  for (double number = 0; lines >> name >> number;) numbers[name] = number;
  return numbers;
}

class Figures {
 public:
  void add(const std::string& name, double value) { values_[name].push_back(value); }
  [[nodiscard]] double of(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? 0 : median(found->second);
  }
  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
  void print() const {
    std::cout << std::fixed << std::setprecision(2) << "{";
    const char* separator = "\n  ";
    for (const auto& [name, values] : values_) {
      std::cout << separator << '"' << name << "\": " << median(values);
      separator = ",\n  ";
    }
    std::cout << "\n}\n";
  }

 private:
  std::map<std::string, std::vector<double>> values_;
};

void measure_peers(const Options& options, const test::PostgresServer& server, Figures& figures) {
  const std::string jobs = std::to_string(options.jobs);
  {
    const test::PostgresDatabase database(server);
    const auto found = peer(options, "graphile.mjs", {database.tcp_url(), jobs});
    figures.add("graphile_jobs_per_second", found.at("throughput"));
    figures.add("graphile_latency_p50_ms", found.at("latency"));
  }
  {
    const test::PostgresDatabase database(server);
    const auto found = peer(options, "pgboss.mjs", {database.tcp_url(), jobs});
    figures.add("pgboss_jobs_per_second", found.at("throughput"));
  }
  if (!options.redis.empty()) {
    figures.add("bullmq_latency_p50_ms",
                peer(options, "bullmq.mjs", {options.redis}).at("latency"));
  }
}

void measure_ours(const Options& options, const test::PostgresServer& server, Figures& figures) {
  Ours ours(server);
  figures.add("ours_jobs_per_second", ours.run(options.jobs));
  auto latencies = ours.latencies(300);
  std::ranges::sort(latencies);
  figures.add("ours_latency_p50_ms", latencies[150]);
  figures.add("ours_latency_p99_ms", latencies[297]);
}

double sum(const std::vector<double>& rates, std::size_t from, std::size_t count) {
  double total = 0;
  for (std::size_t i = from; i < from + count; ++i) total += rates[i];
  return total;
}

void measure_decay(const Options& options, const test::PostgresServer& server, Figures& figures) {
  Ours ours(server);
  Ours control(server);
  std::vector<double> beside;
  std::vector<double> without;
  {
    const base::Thread other(
        "control", [&](const base::StopToken&) { without = control.rates(options.decay, false); });
    beside = ours.rates(options.decay, true);
  }
  const std::size_t fifth = beside.size() / 5;
  const std::size_t last = beside.size() - fifth;
  const double at_first = sum(beside, 0, fifth) / sum(without, 0, fifth);
  const double at_last = sum(beside, last, fifth) / sum(without, last, fifth);
  for (std::size_t i = 0; i < 5; ++i) {
    const std::string part = "_jobs_in_fifth_" + std::to_string(i + 1);
    figures.add("decay_beside" + part, sum(beside, i * fifth, fifth));
    figures.add("decay_control" + part, sum(without, i * fifth, fifth));
  }
  figures.add("decay_first_share_of_control", at_first);
  figures.add("decay_last_share_of_control", at_last);
  figures.add("decay_last_to_first", at_last / at_first);
}

int run(const Options& options) {
  const test::PrivatePostgresServer server;
  Figures figures;
  for (std::size_t i = 0; i < options.repetitions; ++i) {
    measure_ours(options, server, figures);
    if (!options.peers.empty()) measure_peers(options, server, figures);
  }
  if (options.decay > seconds{0}) measure_decay(options, server, figures);
  const double ours = figures.of("ours_jobs_per_second");
  if (!options.peers.empty()) {
    figures.add("ours_to_graphile", ours / figures.of("graphile_jobs_per_second"));
    figures.add("ours_to_pgboss", ours / figures.of("pgboss_jobs_per_second"));
  }
  figures.print();
  return 0;
}

}  // namespace
}  // namespace clever

int main(int argc, char** argv) {
  // Synced, as a server that matters is.
  ::setenv("CLEVER_POSTGRES_SETTINGS",
           "-c fsync=on -c full_page_writes=on -c shared_buffers=256MB -c max_wal_size=4GB", 1);
  return clever::run(clever::parse(argc, argv));
}
