// What stands on the way of every call of a model:
//   registry_read   the present providers from a holder's cached snapshot
//                                                  peer: a std::mutex around the shared_ptr
//   circuit         a permit asked for and settled as a success, on a handle resolved once, with
//   the
//                   clock read that a caller needs anyway
//                                                  peer: a std::mutex before and after the call
// The number at the end is that of the threads, all on one registry or circuit; time is what the
// process spends on one operation, so that waiting for each other shows where it costs.
// bench/peers/breakers has the peers from npm.
#include <benchmark/benchmark.h>
#include <time.h>

#include <chrono>
#include <memory>
#include <mutex>

#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/random.h"
#include "comparison.h"
#include "provider/registry.h"
#include "support/together.h"

namespace {

using clever::base::Circuit;
using clever::base::SystemClock;
using clever::base::SystemRandom;
using clever::provider::ProviderRegistry;
using clever::provider::ProviderSet;

class NoBackend final : public clever::provider::Backend {
 public:
  std::unique_ptr<clever::provider::Attempt> start(
      const std::string&, const clever::provider::ModelRequest&,
      std::shared_ptr<clever::provider::AttemptSink>) override {
    return nullptr;
  }
};

// Shared by the threads of a benchmark; made once, on first use.
ProviderRegistry& registry() {
  static ProviderRegistry instance(
      [](const clever::provider::Endpoint&)
          -> clever::base::Result<std::shared_ptr<clever::provider::Backend>> {
        return std::make_shared<NoBackend>();
      });
  return instance;
}

struct LockedSet {
  std::mutex mutex;
  std::shared_ptr<const ProviderSet> set = registry().snapshot();
};

double process_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Runs `body(operations)` in as many threads as the benchmark's argument says.
template <class Body>
void in_threads(benchmark::State& state, const Body& body) {
  constexpr int kOperations = 200'000;
  const auto threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const double before = process_seconds();
    clever::test::together(threads, [&](int) { body(kOperations); });
    state.SetIterationTime(process_seconds() - before);
  }
  state.counters["items"] = static_cast<double>(threads) * kOperations;
}

void registry_read_ours(benchmark::State& state) {
  in_threads(state, [](int operations) {
    ProviderRegistry::Reader reader(registry());
    for (int i = 0; i < operations; ++i) benchmark::DoNotOptimize(reader.current()->version());
  });
}

void registry_read_peer(benchmark::State& state) {
  LockedSet locked;
  in_threads(state, [&](int operations) {
    for (int i = 0; i < operations; ++i) {
      std::shared_ptr<const ProviderSet> set;
      {
        const std::lock_guard lock(locked.mutex);
        set = locked.set;
      }
      benchmark::DoNotOptimize(set->version());
    }
  });
}

void circuit_ours(benchmark::State& state) {
  SystemClock clock;
  SystemRandom random;
  Circuit circuit(clock, random, {});
  in_threads(state, [&](int operations) {
    for (int i = 0; i < operations; ++i) {
      auto permit = circuit.try_acquire();
      benchmark::DoNotOptimize(clock.now());
      permit->succeed();
    }
  });
}

struct LockedCircuit {
  std::mutex mutex;
  int failures = 0;
  bool open = false;
};

void circuit_peer(benchmark::State& state) {
  LockedCircuit shared;
  in_threads(state, [&](int operations) {
    for (int i = 0; i < operations; ++i) {
      bool open = false;
      {
        const std::lock_guard lock(shared.mutex);
        open = shared.open;
      }
      benchmark::DoNotOptimize(open);
      benchmark::DoNotOptimize(std::chrono::steady_clock::now());
      const std::lock_guard lock(shared.mutex);
      shared.failures = 0;
    }
  });
}

#define COMPARE(what)                                                                   \
  BENCHMARK(what##_ours)->Name(#what "/ours")->Arg(1)->Arg(2)->Arg(8)->UseManualTime(); \
  BENCHMARK(what##_peer)->Name(#what "/peer")->Arg(1)->Arg(2)->Arg(8)->UseManualTime()

COMPARE(registry_read);
COMPARE(circuit);

}  // namespace

int main(int argc, char** argv) { return clever::bench::run(argc, argv); }
