#pragma once
// Report #7088: what any circuit breaker must keep.

#include <concepts>
#include <optional>
#include <vector>

#include "base/atomic.h"
#include "reports/breaker_models.h"
#include "reports/report.h"

namespace clever::reports::breaker {

template <class M>
concept Model = std::constructible_from<M, int> && requires(M model, typename M::Permit permit) {
  { model.try_begin() } -> std::same_as<std::optional<typename M::Permit>>;
  model.succeed(permit);
  model.fail(permit);
  model.cool_down();
  { model.is_open() } -> std::same_as<bool>;
  { model.total_failures() } -> std::same_as<int>;
  { model.counted() } -> std::same_as<int>;
  { model.times_opened() } -> std::same_as<int>;
};

inline constexpr auto kCountsAll = "a failure was not counted";
inline constexpr auto kOpensOnce = "the failure that reaches the threshold did not open it once";
inline constexpr auto kClosesAgain = "an opened strategy is never tried again";
inline constexpr auto kOneProbe = "more than one caller was let through to a recovering strategy";
inline constexpr auto kLateFailure = "callers past the check were counted after it opened";
inline constexpr auto kLateSuccess = "a call begun before it opened closed it";

template <Model M>
void begin_and_fail(M& model) {
  if (auto permit = model.try_begin()) model.fail(*permit);
}

template <Model M>
void counts_all(explore::Run& run) {
  M model(100);
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] {
      begin_and_fail(model);
      begin_and_fail(model);
    });
  }
  run.join();
  run.require(model.total_failures() == 4, kCountsAll);
}

template <Model M>
void opens_once(explore::Run& run) {
  M model(2);
  const auto first = model.try_begin();
  const auto second = model.try_begin();
  run.thread("first", [&] { model.fail(*first); });
  run.thread("second", [&] { model.fail(*second); });
  run.join();
  run.require(model.is_open() && model.times_opened() == 1, kOpensOnce);
}

template <Model M>
void closes_again(explore::Run& run) {
  M model(1);
  run.thread("caller", [&] {
    begin_and_fail(model);
    model.cool_down();
    const auto probe = model.try_begin();
    run.require(probe.has_value(), kClosesAgain);
    model.succeed(*probe);
    run.require(!model.is_open(), kClosesAgain);
  });
  run.join();
}

template <Model M>
void one_probe(explore::Run& run) {
  M model(1);
  begin_and_fail(model);
  model.cool_down();
  base::Atomic<int> admitted;  // how many callers were let through
  for (const auto* name : {"first", "second", "third"}) {
    run.thread(name, [&] {
      if (model.try_begin()) admitted.fetch_add(1);
    });
  }
  run.join();
  run.require(admitted.load() <= 1, kOneProbe);
}

template <Model M>
void late_failure(explore::Run& run) {
  M model(2);
  for (const auto* name : {"first", "second", "third"}) {
    run.thread(name, [&] { begin_and_fail(model); });
  }
  run.join();
  run.require(model.counted() <= 2, kLateFailure);
}

template <Model M>
void late_success(explore::Run& run) {
  M model(1);
  bool seen_open = false;
  run.thread("slow", [&] {
    if (auto permit = model.try_begin()) model.succeed(*permit);
  });
  run.thread("failing", [&] {
    begin_and_fail(model);
    seen_open = model.is_open();
  });
  run.join();
  run.require(!seen_open || model.is_open(), kLateSuccess);
}

template <Model M>
std::vector<Property> properties() {
  return {
      {"counts_all", "two pipelines count two failures each", kCountsAll, counts_all<M>},
      {"opens_once", "two pipelines reach the threshold together", kOpensOnce, opens_once<M>},
      {"closes_again", "an opened strategy has recovered", kClosesAgain, closes_again<M>},
      {"one_probe", "three pipelines ask after the cool-down", kOneProbe, one_probe<M>},
      {"late_failure", "three pipelines pass the check before any of them fails", kLateFailure,
       late_failure<M>},
      {"late_success", "a slow call succeeds after others opened the circuit", kLateSuccess,
       late_success<M>},
  };
}

}  // namespace clever::reports::breaker
