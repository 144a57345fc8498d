#pragma once
// Report #7088: what any batch with a deadline must keep.

#include <concepts>
#include <vector>

#include "reports/batch_models.h"
#include "reports/report.h"

namespace clever::reports::batch {

template <class M>
concept Model = std::default_initializable<M> && requires(M model) {
  model.deadline_passes();
  model.report(true);
  model.assemble_again();
  { model.stop_requested() } -> std::same_as<bool>;
  { model.failures() } -> std::same_as<int>;
  // The most that have run at the same time.
  { model.running() } -> std::same_as<int>;
};

inline constexpr auto kStopsTheLate = "the deadline passed and the slow strategy was not told";
inline constexpr auto kCountsTheLateOnce = "the slow strategy was not counted once";
inline constexpr auto kStartsItOnce = "a strategy that has not returned was started again";

template <Model M>
void stops_the_late(explore::Run& run) {
  M model;
  run.thread("collector", [&] { model.deadline_passes(); });
  run.join();
  run.require(model.stop_requested(), kStopsTheLate);
}

template <Model M>
void counts_the_late_once(explore::Run& run) {
  M model;
  run.thread("collector", [&] { model.deadline_passes(); });
  run.thread("strategy", [&] { model.report(false); });
  run.join();
  run.require(model.failures() == 1, kCountsTheLateOnce);
}

template <Model M>
void starts_it_once(explore::Run& run) {
  M model;
  run.thread("collector", [&] {
    model.deadline_passes();
    model.assemble_again();
  });
  run.join();
  run.require(model.running() <= 1, kStartsItOnce);
}

template <Model M>
std::vector<Property> properties() {
  return {
      {"stops_the_late", "the deadline passes while a strategy still runs", kStopsTheLate,
       stops_the_late<M>},
      {"counts_the_late_once", "a strategy fails around the deadline", kCountsTheLateOnce,
       counts_the_late_once<M>},
      {"starts_it_once", "the next assembly comes while a strategy has not returned", kStartsItOnce,
       starts_it_once<M>},
  };
}

}  // namespace clever::reports::batch
