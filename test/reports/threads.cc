#include "reports/threads.h"

#include <deque>
#include <latch>
#include <memory>
#include <set>

#include "base/atomic.h"
#include "base/thread.h"
#include "reports/breaker_checks.h"
#include "reports/breaker_ours.h"
#include "reports/changeset_checks.h"
#include "reports/changeset_ours.h"
#include "reports/engine_cache_checks.h"
#include "reports/engine_cache_ours.h"
#include "reports/error_recovery_checks.h"
#include "reports/error_recovery_ours.h"
#include "reports/neighbours.h"
#include "reports/registry_checks.h"
#include "reports/registry_ours.h"
#include "reports/shipped.h"

namespace clever::reports {
namespace {

constexpr int kRepeats = 50;
constexpr int kBudget = 3;

template <class Handle>
Tally distinct(const std::vector<Handle>& handles) {
  const std::set<Handle> different(handles.begin(), handles.end());
  return {.expected = 1, .counted = static_cast<std::int64_t>(different.size())};
}

template <class M>
Tally registries(int workers) {
  M model;
  std::vector<typename M::Handle> handles(static_cast<std::size_t>(workers));
  together(workers,
           [&](int worker) { handles[static_cast<std::size_t>(worker)] = model.obtain(); });
  return distinct(handles);
}

template <class M>
Tally containers(int workers) {
  M model;
  std::vector<std::shared_ptr<container::Container>> handles(static_cast<std::size_t>(workers));
  together(workers,
           [&](int worker) { handles[static_cast<std::size_t>(worker)] = model.container(); });
  return distinct(handles);
}

template <class M>
Tally engines(int workers) {
  engine_cache::Backend backend;
  M model(backend);
  std::vector<engine_cache::EnginePtr> handles(static_cast<std::size_t>(workers));
  together(workers, [&](int worker) {
    handles[static_cast<std::size_t>(worker)] = model.open(worker % 2, engine_cache::kMemory);
  });
  return distinct(handles);
}

template <class M>
Tally failures_counted(int workers) {
  M model(workers * kRepeats + 1);
  together(workers, [&](int) {
    for (int i = 0; i < kRepeats; ++i) breaker::begin_and_fail(model);
  });
  return {.expected = workers * kRepeats, .counted = model.total_failures()};
}

template <class M>
Tally errors_recorded(int workers) {
  Disk disk;
  M model(disk, kBudget);
  together(workers, [&](int worker) { model.record(worker); });
  return {.expected = workers, .counted = static_cast<std::int64_t>(model.errors().size())};
}

template <class M>
Tally retries_granted(int workers) {
  Disk disk;
  M model(disk, kBudget);
  base::Atomic<int> granted;  // retries that callers were allowed
  together(workers, [&](int worker) {
    if (model.record(worker)) granted.fetch_add(1);
  });
  return {.expected = kBudget, .counted = granted.load()};
}

template <class M>
Tally changes_in_place(int workers) {
  Disk disk;
  M model(disk);
  std::vector<typename M::Handle> mine(static_cast<std::size_t>(workers));
  together(workers, [&](int node) {
    auto& handle = mine[static_cast<std::size_t>(node)];
    handle = model.start();
    model.record(handle, node);
  });
  std::int64_t in_place = 0;
  for (int node = 0; node < workers; ++node) {
    for (const auto& entry : model.entries(mine[static_cast<std::size_t>(node)])) {
      in_place += entry.change == node ? 1 : 0;
    }
  }
  return {.expected = workers, .counted = in_place};
}

template <class M>
Tally ids_given(int workers) {
  M model;
  std::vector<std::vector<typename M::Id>> ids(static_cast<std::size_t>(workers));
  together(workers, [&](int worker) {
    for (int i = 0; i < kRepeats; ++i)
      ids[static_cast<std::size_t>(worker)].push_back(model.next());
  });
  std::set<typename M::Id> different;
  for (const auto& of_worker : ids) different.insert(of_worker.begin(), of_worker.end());
  return {.expected = workers * kRepeats, .counted = static_cast<std::int64_t>(different.size())};
}

}  // namespace

void together(int workers, const std::function<void(int)>& body) {
  std::latch start(workers);
  std::deque<base::Thread> threads;
  for (int worker = 0; worker < workers; ++worker) {
    threads.emplace_back("worker", [&, worker](const base::StopToken&) {
      start.arrive_and_wait();
      body(worker);
    });
  }
  for (auto& thread : threads) thread.join();
}

std::vector<Workload> all_workloads() {
  constexpr bool kExact = true;
  constexpr bool kLoose = false;
  constexpr bool kExcess = true;
  constexpr bool kLoss = false;
  return {
      {"7031", "provider registry", "reported", "ask for the registry", "instances", kLoose,
       kExcess, registries<registry::Reported>},
      {"7031", "provider registry", "proposed", "ask for the registry", "instances", kExact,
       kExcess, registries<registry::Proposed>},
      {"7031", "provider registry", "control", "ask for the registry", "instances", kExact, kExcess,
       registries<registry::Control>},
      {"7031", "provider registry", "ours", "ask for the registry", "instances", kExact, kExcess,
       registries<registry::Ours>},
      {"7088", "circuit breaker", "reported", "count failures", "failures counted", kLoose, kLoss,
       failures_counted<breaker::Reported>},
      {"7088", "circuit breaker", "proposed", "count failures", "failures counted", kExact, kLoss,
       failures_counted<breaker::Proposed>},
      {"7088", "circuit breaker", "control", "count failures", "failures counted", kExact, kLoss,
       failures_counted<breaker::Control>},
      {"7088", "circuit breaker", "ours", "count failures", "failures counted", kExact, kLoss,
       failures_counted<breaker::Ours>},
      {"3950", "engine cache", "reported", "open one URL", "engines", kLoose, kExcess,
       engines<engine_cache::Reported>},
      {"3950", "engine cache", "proposed", "open one URL", "engines", kExact, kExcess,
       engines<engine_cache::Proposed>},
      {"3950", "engine cache", "proposed-forgotten-once", "open one URL", "engines", kLoose,
       kExcess, engines<engine_cache::ProposedForgotten>},
      {"3950", "engine cache", "control", "open one URL", "engines", kExact, kExcess,
       engines<engine_cache::Control>},
      {"3950", "engine cache", "ours", "open one URL", "engines", kExact, kExcess,
       engines<engine_cache::Ours>},
      {"7333", "error recovery", "reported", "record an error", "errors recorded", kLoose, kLoss,
       errors_recorded<error_recovery::Reported>},
      {"7333", "error recovery", "proposed", "record an error", "errors recorded", kLoose, kLoss,
       errors_recorded<error_recovery::Proposed>},
      {"7333", "error recovery", "control", "record an error", "errors recorded", kExact, kLoss,
       errors_recorded<error_recovery::Control>},
      {"7333", "error recovery", "ours", "record an error", "errors recorded", kExact, kLoss,
       errors_recorded<error_recovery::Ours>},
      {"7333", "error recovery", "reported", "ask for a retry", "retries granted", kLoose, kExcess,
       retries_granted<error_recovery::Reported>},
      {"7333", "error recovery", "proposed", "ask for a retry", "retries granted", kLoose, kExcess,
       retries_granted<error_recovery::Proposed>},
      {"7333", "error recovery", "control", "ask for a retry", "retries granted", kExact, kExcess,
       retries_granted<error_recovery::Control>},
      {"7333", "error recovery", "ours", "ask for a retry", "retries granted", kExact, kExcess,
       retries_granted<error_recovery::Ours>},
      {"7120", "changesets", "reported", "record into their own changesets", "changes in place",
       kLoose, kLoss, changes_in_place<changeset::Reported>},
      {"7120", "changesets", "proposed", "record into their own changesets", "changes in place",
       kLoose, kLoss, changes_in_place<changeset::Proposed>},
      {"7120", "changesets", "control", "record into their own changesets", "changes in place",
       kExact, kLoss, changes_in_place<changeset::Control>},
      {"7120", "changesets", "ours", "record into their own changesets", "changes in place", kExact,
       kLoss, changes_in_place<changeset::Ours>},
      {"6762", "subplan counter", "reported", "ask for ids", "different ids", kLoose, kLoss,
       ids_given<counter::Reported>},
      {"6762", "subplan counter", "ours", "ask for ids", "different ids", kExact, kLoss,
       ids_given<counter::Ours>},
      {"6732", "container", "reported", "ask for the container", "containers", kLoose, kExcess,
       containers<container::Reported>},
      {"6732", "container", "ours", "ask the composition root", "clients and engines", kExact,
       kExcess, shipped::roots_made},
      {"6771", "validations", "ours", "print at the same time", "outputs in place", kExact, kLoss,
       shipped::outputs_in_place},
      {"7036", "lease renewal", "ours", "hold what another takes", "leases with one holder", kExact,
       kExcess, shipped::leases_held_once},
      {"7060", "sandbox commit", "ours", "commit one sandbox", "commits", kExact, kExcess,
       shipped::commits_made},
      {"7076", "tool calls", "ours", "are called in one turn", "results in place", kExact, kLoss,
       shipped::results_in_place},
  };
}

}  // namespace clever::reports
