#pragma once
// The same models under real threads: how many instances, lost counts and lost records a run
// yields. The figures of naive models differ from run to run; those of correct ones do not.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace clever::reports {

/// What one run yielded. `expected` is what a correct component gives.
struct Tally {
  std::int64_t expected = 0;
  std::int64_t counted = 0;
};

/// A model under so many workers.
struct Workload {
  std::string report;
  std::string subject;
  std::string model;
  std::string when;  // "ask for the registry"
  std::string what;  // "instances"
  /// The model keeps this property: counted equals expected, always.
  bool exact = false;
  /// Otherwise the count can only be above (true) or below (false) what is expected.
  bool excess = false;
  std::function<Tally(int workers)> run;
};

/// Runs `body(worker)` in that many threads that start together, and waits for them.
void together(int workers, const std::function<void(int)>& body);

[[nodiscard]] std::vector<Workload> all_workloads();

}  // namespace clever::reports
