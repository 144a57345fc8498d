#pragma once
// Report #3950: what any engine cache must keep.

#include <concepts>
#include <string>
#include <vector>

#include "reports/engine_cache_models.h"
#include "reports/environment.h"
#include "reports/report.h"

namespace clever::reports::engine_cache {

template <class M>
concept Model = std::constructible_from<M, Backend&> &&
                requires(M model, const std::string& url, const EnginePtr& engine) {
                  { model.open(0, url) } -> std::same_as<EnginePtr>;
                  { model.unit_of_work(0, url) } -> std::same_as<EnginePtr>;
                  model.release(0, url, engine);
                };

inline constexpr auto kOneEngine = "one URL was opened as two engines";
inline constexpr auto kOneMemory =
    "a table in the in-memory database is invisible to another worker";
inline constexpr auto kSlowOpen = "a slow open delays the open of another database";
inline constexpr auto kSpellings = "two spellings of one URL are two databases";
inline constexpr auto kMigratesOnce = "the migrations did not run exactly once";
inline constexpr auto kNoneBroken = "a failed open stays in the cache and was handed out";
inline constexpr auto kFailsAlone = "a failed open threw a working engine out of the cache";
inline constexpr auto kUsable = "an engine was closed under somebody who holds it";
inline constexpr auto kCloses = "an engine stays open after its last holder let go";

inline constexpr auto kFile = "sqlite:///plans.db";
inline constexpr auto kOtherFile = "sqlite:///audit.db";
inline constexpr auto kMemory = "sqlite:///:memory:";

// Two consumers do `use(model, consumer)` at the same time; then `check(model, backend)`.
template <Model M, class Use, class Check>
void two_consumers(explore::Run& run, Backend& backend, Use use, Check check) {
  M model(backend);
  run.thread("executor", [&] { use(model, 0); });
  run.thread("repository", [&] { use(model, 1); });
  run.join();
  check(model);
}

template <Model M>
void one_engine(explore::Run& run) {
  Backend backend;
  EnginePtr engines[2];
  two_consumers<M>(
      run, backend,
      [&](M& model, int consumer) { engines[consumer] = model.open(consumer, kFile); },
      [&](M&) { run.require(engines[0] == engines[1], kOneEngine); });
}

template <Model M>
void one_memory(explore::Run& run) {
  Backend backend;
  EnginePtr engines[2];
  two_consumers<M>(
      run, backend,
      [&](M& model, int consumer) {
        engines[consumer] = model.open(consumer, kMemory);
        if (consumer == 0) engines[0]->create_table(0, "plans");
      },
      [&](M&) { run.require(engines[1]->sees(1, "plans"), kOneMemory); });
}

// The first database answers only after the second has been opened: a cache that opens under one
// lock never gets there.
template <Model M>
void slow_open(explore::Run& run) {
  Backend backend;
  Gate other_is_open;
  backend.on_create([&](const std::string& url) {
    if (url == kFile) other_is_open.wait();
  });
  two_consumers<M>(
      run, backend,
      [&](M& model, int consumer) {
        model.open(consumer, consumer == 0 ? kFile : kOtherFile);
        if (consumer == 1) other_is_open.open();
      },
      [](M&) {});
}

template <Model M>
void spellings(explore::Run& run) {
  Backend backend;
  EnginePtr engines[2];
  two_consumers<M>(
      run, backend,
      [&](M& model, int consumer) {
        engines[consumer] = model.open(consumer, consumer == 0 ? kMemory : "sqlite://");
      },
      [&](M&) { run.require(engines[0] == engines[1], kSpellings); });
}

template <Model M>
void migrates_once(explore::Run& run) {
  Backend backend;
  EnginePtr engines[2];
  two_consumers<M>(
      run, backend,
      [&](M& model, int consumer) {
        engines[consumer] = model.unit_of_work(consumer, kFile);
        run.require(engines[consumer]->migrations() > 0, kMigratesOnce);
      },
      [&](M&) { run.require(engines[0]->migrations() == 1, kMigratesOnce); });
}

template <Model M>
void none_broken(explore::Run& run) {
  Backend backend;
  backend.break_first(1);
  const auto require_usable = [&](const EnginePtr& engine) {
    run.require(engine == nullptr || engine->works(), kNoneBroken);
  };
  two_consumers<M>(
      run, backend, [&](M& model, int consumer) { require_usable(model.open(consumer, kFile)); },
      [&](M& model) {
        const auto engine = model.open(0, kFile);
        run.require(engine != nullptr, kNoneBroken);
        require_usable(engine);
      });
}

template <Model M>
void fails_alone(explore::Run& run) {
  Backend backend;
  backend.break_first(1);
  EnginePtr engines[2];
  two_consumers<M>(
      run, backend,
      [&](M& model, int consumer) { engines[consumer] = model.open(consumer, kFile); },
      [&](M& model) {
        const auto now = model.open(0, kFile);
        for (const auto& engine : engines) {
          const bool working = engine != nullptr && engine->works();
          run.require(!working || engine == now, kFailsAlone);
        }
      });
}

template <Model M>
void open_use_release(explore::Run& run, M& model, int consumer) {
  const auto engine = model.open(consumer, kFile);
  run.require(!engine->closed(), kUsable);
  model.release(consumer, kFile, engine);
}

template <Model M>
void usable(explore::Run& run) {
  Backend backend;
  two_consumers<M>(
      run, backend, [&](M& model, int consumer) { open_use_release(run, model, consumer); },
      [](M&) {});
}

template <Model M>
void closes(explore::Run& run) {
  Backend backend;
  M model(backend);
  run.thread("executor", [&] { open_use_release(run, model, 0); });
  run.join();
  run.require(backend.open_engines() == 0, kCloses);
}

template <Model M>
std::vector<Property> properties() {
  return {
      {"one_engine", "two threads open one URL at the same time", kOneEngine, one_engine<M>},
      {"one_memory", "one thread makes the schema of the in-memory database", kOneMemory,
       one_memory<M>},
      {"slow_open", "one database answers only after another was opened", kSlowOpen, slow_open<M>,
       explore::Failure::kDeadlock},
      {"spellings", "two threads open one database by two spellings", kSpellings, spellings<M>},
      {"migrates_once", "two units of work begin at the same time", kMigratesOnce,
       migrates_once<M>},
      {"none_broken", "the first open fails", kNoneBroken, none_broken<M>},
      {"fails_alone", "two threads meet a failed open", kFailsAlone, fails_alone<M>},
      {"usable", "one holder is done while another still works", kUsable, usable<M>},
      {"closes", "the last holder is done", kCloses, closes<M>},
  };
}

}  // namespace clever::reports::engine_cache
