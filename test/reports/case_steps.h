#pragma once
// The steps of the reports' cases.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/case.h"
#include "reports/report.h"
#include "reports/search.h"
#include "reports/threads.h"

namespace clever::reports {

/// What one case knows so far. Owned by its runner; one thread.
///
///   Given the MODEL SUBJECT                          e.g. the reported provider registry
///   When SCENARIO                                    a property's own words
///   Then the explorer finds within N schedules: F    F is what the property says when broken
///   Then the same schedule shows it again
///   Then the explorer finds nothing in all schedules
///   When N real threads SCENARIO                     a workload's own words
///   Then there are exactly|at least|at most N WHAT   WHAT is what the workload counts
class World {
 public:
  World() : rows_(all_rows()), workloads_(all_workloads()) {}

  base::Result<void> given(const std::string& model, const std::string& subject);
  base::Result<void> scenario(const std::string& when);
  base::Result<void> finds(std::size_t within, const std::string& what);
  base::Result<void> replays();
  base::Result<void> finds_nothing();
  base::Result<void> real_threads(int workers, const std::string& when);
  enum class Compare : std::uint8_t { kExactly, kAtLeast, kAtMost };
  base::Result<void> counted(Compare compare, std::int64_t number, const std::string& what);

 private:
  const std::vector<Row> rows_;
  const std::vector<Workload> workloads_;
  std::string model_;
  std::string subject_;
  const Row* row_ = nullptr;
  std::optional<explore::Outcome> found_;
  const Workload* workload_ = nullptr;
  Tally tally_;
};

/// Registers the steps above; `world` must outlive them.
void add_steps(Steps& steps, World& world);

}  // namespace clever::reports
