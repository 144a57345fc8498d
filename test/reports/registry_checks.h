#pragma once
// Report #7031: what any provider registry must keep.

#include <concepts>
#include <string>
#include <vector>

#include "reports/registry_models.h"
#include "reports/report.h"

namespace clever::reports::registry {

/// obtain() and reconfigure() may be called by any thread; equal handles are one registry.
template <class M>
concept Model = std::default_initializable<M> &&
                requires(M model, typename M::Handle handle, Settings settings) {
                  { model.obtain() } -> std::same_as<typename M::Handle>;
                  { model.reconfigure(settings) } -> std::same_as<typename M::Handle>;
                  { handle->settings() } -> std::same_as<Settings>;
                  { handle->failures() } -> std::same_as<int>;
                  handle->record_failure();
                  { handle == handle } -> std::convertible_to<bool>;
                };

inline constexpr auto kOneIdentity = "two callers hold two registries";
inline constexpr auto kStaysAlive = "an earlier caller holds a dead registry";
inline constexpr auto kSettingsReach = "new settings are invisible to an earlier caller";
inline constexpr auto kStateSurvives = "the breaker's state was thrown away";
inline constexpr auto kNeverBackwards = "a reader saw settings go backwards or mix";

template <Model M>
void one_identity(explore::Run& run) {
  M model;
  typename M::Handle first;
  typename M::Handle second;
  run.thread("first", [&] { first = model.obtain(); });
  run.thread("second", [&] { second = model.obtain(); });
  run.join();
  run.require(first == second, kOneIdentity);
}

// A caller obtains the registry while another gives it settings; afterwards `check` looks.
template <Model M, class Check>
void obtain_beside_reconfigure(explore::Run& run, Check check) {
  M model;
  typename M::Handle handle;
  run.thread("caller", [&] {
    handle = model.obtain();
    handle->record_failure();
  });
  run.thread("settings", [&] { model.reconfigure(settings_of_version(7)); });
  run.join();
  check(model, handle);
}

template <Model M>
void stays_alive(explore::Run& run) {
  obtain_beside_reconfigure<M>(run, [&](M& model, typename M::Handle handle) {
    run.require(handle == model.obtain(), kStaysAlive);
  });
}

template <Model M>
void settings_reach(explore::Run& run) {
  obtain_beside_reconfigure<M>(run, [&](M&, typename M::Handle handle) {
    run.require(handle->settings().version == 7, kSettingsReach);
  });
}

template <Model M>
void state_survives(explore::Run& run) {
  obtain_beside_reconfigure<M>(run, [&](M& model, typename M::Handle) {
    run.require(model.obtain()->failures() == 1, kStateSurvives);
  });
}

template <Model M>
void never_backwards(explore::Run& run) {
  M model;
  run.thread("caller", [&] { model.obtain(); });
  run.thread("settings", [&] { model.reconfigure(settings_of_version(1)); });
  run.thread("reader", [&] {
    const Settings before = model.obtain()->settings();
    const Settings after = model.obtain()->settings();
    run.require(before.mirror == before.version && after.mirror == after.version &&
                    before.version <= after.version,
                kNeverBackwards);
  });
  run.join();
}

template <Model M>
std::vector<Property> properties() {
  return {
      {"one_identity", "two workers ask for the registry at the same time", kOneIdentity,
       one_identity<M>},
      {"stays_alive", "one worker asks for the registry and another gives it settings", kStaysAlive,
       stays_alive<M>},
      {"settings_reach", "one worker gives settings that another should see", kSettingsReach,
       settings_reach<M>},
      {"state_survives", "a failure is counted while settings change", kStateSurvives,
       state_survives<M>},
      {"never_backwards", "a worker reads the settings twice while they change", kNeverBackwards,
       never_backwards<M>},
  };
}

}  // namespace clever::reports::registry
