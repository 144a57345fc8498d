#pragma once
// Report #7333: what any error recovery must keep.

#include <concepts>
#include <string>
#include <vector>

#include "base/atomic.h"
#include "reports/error_recovery_models.h"
#include "reports/report.h"

namespace clever::reports::error_recovery {

template <class M>
concept Model = std::constructible_from<M, Disk&, int> && requires(M model) {
  { model.record(1) } -> std::same_as<bool>;
  { model.errors() } -> std::same_as<std::vector<int>>;
};

inline constexpr auto kRecordsAll = "a recorded error is not in the history";
inline constexpr auto kSpendsOnce = "the retries granted are not the budget";
inline constexpr auto kHistorySurvives = "a recorded error was gone after a crash";
inline constexpr auto kBudgetSurvives = "the retry budget was granted again after a crash";

template <Model M>
void records_all(explore::Run& run) {
  Disk disk;
  M model(disk, 3);
  run.thread("first", [&] { model.record(1); });
  run.thread("second", [&] { model.record(2); });
  run.join();
  run.require(model.errors().size() == 2, kRecordsAll);
}

template <Model M>
void spends_once(explore::Run& run) {
  Disk disk;
  M model(disk, 1);
  base::Atomic<int> granted;  // retries that callers were allowed
  for (const int error : {1, 2}) {
    run.thread("worker " + std::to_string(error), [&, error] {
      if (model.record(error)) granted.fetch_add(1);
    });
  }
  run.join();
  run.require(granted.load() == 1, kSpendsOnce);
}

// What the callers of the first life were told before it ended.
struct FirstLife {
  int recorded = 0;
  int granted = 0;
};

// A worker records an error; somewhere in between, or before, or after, the process is killed.
template <Model M>
FirstLife life_with_crash(explore::Run& run, Disk& disk, M& model) {
  FirstLife reported;
  run.thread("worker", [&] {
    const bool granted = model.record(1);
    if (!disk.alive()) return;
    ++reported.recorded;
    reported.granted += granted ? 1 : 0;
  });
  run.thread("kill", [&] { disk.crash(); });
  run.join();
  disk.restart();
  return reported;
}

template <Model M>
void history_survives(explore::Run& run) {
  Disk disk;
  M first_life(disk, 1);
  const FirstLife reported = life_with_crash(run, disk, first_life);
  M second_life(disk, 1);
  const auto errors = static_cast<int>(second_life.errors().size());
  run.require(errors >= reported.recorded, kHistorySurvives);
}

template <Model M>
void budget_survives(explore::Run& run) {
  Disk disk;
  M first_life(disk, 1);
  const FirstLife reported = life_with_crash(run, disk, first_life);
  M second_life(disk, 1);
  const int granted = reported.granted + (second_life.record(2) ? 1 : 0);
  run.require(granted <= 1, kBudgetSurvives);
}

template <Model M>
std::vector<Property> properties() {
  return {
      {"records_all", "two first errors of one plan arrive at the same time", kRecordsAll,
       records_all<M>},
      {"spends_once", "two workers ask for the last retry", kSpendsOnce, spends_once<M>},
      {"history_survives", "the process is killed after an error was recorded", kHistorySurvives,
       history_survives<M>},
      {"budget_survives", "the process is killed after a retry was granted", kBudgetSurvives,
       budget_survives<M>},
  };
}

}  // namespace clever::reports::error_recovery
