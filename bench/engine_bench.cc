// What the engine costs. bench/engine prepares folders, servers and peers and runs this:
//   turns   conversations over a model server: the task of bench/peers/engine_turns.mjs
//   bare    plans whose effects do nothing: durable steps alone
//   flight  many plans that wait for their model at once: memory, and how late events are
//   growth  one long conversation: what a turn costs at its beginning and at its end
//   tasks   `agents run` with 16 tasks: wall time and memory of the process
// Options: --server URL --project DIR --home DIR --database URL --turns N --conversations N
//   --at-once N --plans N --agents PROGRAM. Prints one JSON line.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/atomic.h"
#include "base/thread.h"
#include "engine_arguments.h"
#include "engine_instant.h"
#include "engine_stack.h"
#include "measure.h"

namespace {

using namespace clever;
using namespace clever::bench;

// `count` times, by so many threads.
void many(int count, int at_once, const std::function<void(int)>& one) {
  // Publishes nothing: it only hands out numbers.
  base::Atomic<int> next{0};
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (int i = 0; i < at_once; ++i) {
    threads.push_back(std::make_unique<base::Thread>("load", [&](const base::StopToken&) {
      for (int number = next.fetch_add(1); number < count; number = next.fetch_add(1)) one(number);
    }));
  }
  for (auto& thread : threads) thread->join();
}

struct Measured {
  double cpu_us = 0;
  double seconds = 0;
};
Measured measured(const std::function<void()>& work) {
  const double cpu = cpu_microseconds();
  const auto begin = SteadyClock::now();
  work();
  return {cpu_microseconds() - cpu, microseconds_since(begin) / 1e6};
}

void print_turns(const char* engine, const Arguments& arguments, int turns, const Measured& cost) {
  const int all = turns * arguments.number("--conversations", 40);
  const bool server = !arguments.text("--database").empty();
  std::printf(
      "{\"engine\":\"%s/%s\",\"durability\":\"%s\",\"turns_each\":%d,\"at_once\":%d,"
      "\"cpu_us_per_turn\":%.0f,\"turns_per_second\":%.0f,\"resident_kib\":%.0f}\n",
      engine, server ? "postgres" : "sqlite",
      server ? "every step, PostgreSQL with fsync" : "every step, synchronous=FULL", turns,
      arguments.number("--at-once", 8), cost.cpu_us / all, all / cost.seconds, resident_kib());
}

StackOptions stack_options(const Arguments& arguments) {
  return {.project = arguments.path("--project"),
          .home = arguments.path("--home"),
          .database = arguments.text("--database"),
          .server = arguments.text("--server")};
}

int turns(const Arguments& arguments) {
  const int each = arguments.number("--turns", 20);
  const int count = arguments.number("--conversations", 40);
  const int at_once = arguments.number("--at-once", 8);
  Stack stack(stack_options(arguments));
  const auto converse = [&](int) { stack.converse("Read the notes.", each); };
  many(std::max(4, count / 4), at_once, converse);
  print_turns("ours", arguments, each, measured([&] { many(count, at_once, converse); }));
  return 0;
}

int bare(const Arguments& arguments) {
  const int each = arguments.number("--turns", 20);
  const int count = arguments.number("--conversations", 40);
  const int at_once = arguments.number("--at-once", 8);
  InstantEngine engine({.database = arguments.text("--database"),
                        .home = arguments.path("--home"),
                        .answers = {.turns = each}});
  const auto run = [&](int) {
    const auto state = need(engine.plans().wait(engine.start(each)));
    if (state->usage.calls != each + 1) std::exit(1);
  };
  many(std::max(4, count / 4), at_once, run);
  print_turns("ours-bare", arguments, each, measured([&] { many(count, at_once, run); }));
  return 0;
}

// How late answers are in the journal, and how many plans are at rest.
class Lateness final : public engine::Observer {
 public:
  struct Seen {
    std::vector<double> late_ms;
    int finished = 0;
    int in_flight = 0;
  };

  void attach(AnsweringRunner& runner, base::Clock& clock) {
    runner_ = &runner;
    clock_ = &clock;
  }
  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override {
    const bool is_answer = std::ranges::any_of(events, [](const model::StoredEvent& event) {
      return event.kind == model::ModelAnswered::kKind;
    });
    const bool began = state.usage.calls == 0 && asks(state);
    const double late =
        is_answer
            ? std::chrono::duration<double, std::milli>(clock_->now() - runner_->due(state.id))
                  .count()
            : 0;
    seen_.update([&](Seen& seen) {
      if (is_answer) seen.late_ms.push_back(late);
      if (began) ++seen.in_flight;
      if (state.is_at_rest()) ++seen.finished;
    });
  }
  template <class Enough>
  void wait(Enough enough) {
    need(seen_.wait({}, base::Deadline::never(), enough));
  }
  [[nodiscard]] Seen take() {
    return seen_.update([](Seen& seen) { return std::exchange(seen, {}); });
  }

 private:
  static bool asks(const plan::State& state) {
    return std::ranges::any_of(state.effects, [](const auto& effect) {
      return effect.second.kind == plan::EffectKind::kModel;
    });
  }
  AnsweringRunner* runner_ = nullptr;
  base::Clock* clock_ = nullptr;
  base::Monitor<Seen> seen_;
};

double percentile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

int flight(const Arguments& arguments) {
  const int plans = arguments.number("--plans", 10'000);
  const int each = arguments.number("--turns", 3);
  const int shortest = arguments.number("--shortest-ms", 5000);
  Lateness lateness;
  InstantEngine engine({.database = arguments.text("--database"),
                        .home = arguments.path("--home"),
                        .answers = {.turns = each,
                                    .shortest = std::chrono::milliseconds(shortest),
                                    .longest = std::chrono::milliseconds(3 * shortest)},
                        .observer = &lateness});
  lateness.attach(engine.runner(), engine.clock());
  const double before = resident_kib();
  const auto begin = SteadyClock::now();
  many(plans, 64, [&](int) { engine.start(each); });
  lateness.wait([&](const Lateness::Seen& seen) { return seen.in_flight >= plans; });
  const double started = microseconds_since(begin) / 1e6;
  const double in_flight = resident_kib();
  const double cpu = cpu_microseconds();
  lateness.wait([&](const Lateness::Seen& seen) { return seen.finished >= plans; });
  const double all = microseconds_since(begin) / 1e6;
  const double answered = cpu_microseconds() - cpu;
  const Lateness::Seen seen = lateness.take();
  std::printf(
      "{\"engine\":\"ours/flight\",\"plans\":%d,\"started_s\":%.1f,\"all_s\":%.1f,"
      "\"kib_per_plan\":%.1f,\"resident_kib\":%.0f,\"answers\":%zu,\"late_p50_ms\":%.2f,"
      "\"late_p99_ms\":%.2f,\"late_most_ms\":%.2f,\"cpu_us_per_turn\":%.0f}\n",
      plans, started, all, (in_flight - before) / plans, in_flight, seen.late_ms.size(),
      percentile(seen.late_ms, 0.5), percentile(seen.late_ms, 0.99), percentile(seen.late_ms, 1.0),
      answered / static_cast<double>(seen.late_ms.size()));
  return 0;
}

// Processor time at each answer of the one plan there is.
class Meter final : public engine::Observer {
 public:
  void on_events(const plan::State& /*state*/,
                 const std::vector<model::StoredEvent>& events) override {
    for (const model::StoredEvent& event : events) {
      if (event.kind != model::ModelAnswered::kKind) continue;
      const double now = cpu_microseconds();
      at_.with([&](std::vector<double>& at) { at.push_back(now); });
    }
  }
  /// Microseconds per turn, of those around this one.
  [[nodiscard]] double around(std::size_t turn, std::size_t width) const {
    return at_.with([&](const std::vector<double>& at) {
      const std::size_t last = std::min(turn + width / 2, at.size() - 1);
      const std::size_t first = turn > width / 2 ? turn - width / 2 : 0;
      return (at[last] - at[first]) / static_cast<double>(last - first);
    });
  }

 private:
  mutable base::Guarded<std::vector<double>> at_;
};

int growth(const Arguments& arguments) {
  const int each = arguments.number("--turns", 1000);
  Meter meter;
  StackOptions options = stack_options(arguments);
  options.observer = &meter;
  Stack stack(options);
  const auto cost = measured([&] { stack.converse("Read the notes.", each); });
  std::printf(
      "{\"engine\":\"ours/growth\",\"turns\":%d,\"seconds\":%.1f,\"cpu_us_at_10\":%.0f,"
      "\"cpu_us_at_100\":%.0f,\"cpu_us_at_%d\":%.0f,\"resident_kib\":%.0f}\n",
      each, cost.seconds, meter.around(10, 16), meter.around(100, 40), each,
      meter.around(static_cast<std::size_t>(each) - 20, 40), resident_kib());
  return 0;
}

// A program with these arguments after `--`: how long it took, and the most memory it had.
int tasks(const Arguments& arguments, char** rest) {
  const auto begin = SteadyClock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    ::execv(rest[0], rest);
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  if (::wait4(child, &status, 0, &used) != child) return 1;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  std::printf(
      "{\"engine\":\"%s\",\"wall_s\":%.2f,\"cpu_s\":%.2f,\"largest_process_mib\":%.0f,"
      "\"exit_code\":%d}\n",
      arguments.text("--name", "ours/tasks").c_str(), microseconds_since(begin) / 1e6,
      seconds(used.ru_utime) + seconds(used.ru_stime), static_cast<double>(used.ru_maxrss) / 1024,
      WIFEXITED(status) ? WEXITSTATUS(status) : 128);
  return 0;
}

}  // namespace

int main(int count, char** values) {
  const auto rest = std::find(values, values + count, std::string_view("--"));
  const Arguments arguments(static_cast<int>(rest - values), values);
  if (arguments.mode() == "turns") return turns(arguments);
  if (arguments.mode() == "bare") return bare(arguments);
  if (arguments.mode() == "flight") return flight(arguments);
  if (arguments.mode() == "growth") return growth(arguments);
  if (arguments.mode() == "tasks" && rest != values + count) return tasks(arguments, rest + 1);
  std::fputs("engine_bench turns|bare|flight|growth|tasks [--name value]… [-- PROGRAM…]\n", stderr);
  return 2;
}
