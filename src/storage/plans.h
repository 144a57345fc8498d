#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/budget_events.h"
#include "model/id.h"
#include "model/phase.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

/// A plan as lists show it. A value.
struct PlanSummary {
  model::PlanId id{};
  model::PlanId parent{};
  std::string title{};
  std::string action{};
  std::string project{};
  /// As the events spell them (model/phase.h).
  std::string phase{};
  std::string state{};
  std::int64_t decisions = 0;
  model::Microdollars spent = 0;
  model::Timestamp created{};
  model::Timestamp updated{};
  /// The sequence of the last event included.
  std::int64_t sequence = 0;

  friend bool operator==(const PlanSummary&, const PlanSummary&) = default;
};

/// The topic that is notified when a plan is created.
inline constexpr std::string_view kPlansTopic = "plans";

/// Selects plans; empty fields match all. A value.
struct PlanFilter {
  std::string project{};
  /// Further projects, whose plans are wanted too.
  std::vector<std::string> also{};
  /// Only the subplans of this plan.
  model::PlanId parent{};
  std::string phase{};
  std::string state{};
  /// Only plans whose work stands or may come to stand: not cancelled, errored or undone.
  bool standing = false;
};

/// How many plans a project has. A value.
struct ProjectPlans {
  std::string project{};
  std::size_t plans = 0;
};

/// The table of plans, a projection of their journals.
///
/// Thread-safe. The engine must outlive it.
class Plans {
 public:
  explicit Plans(Engine& engine) : engine_(engine) {}

  /// The newest first, by one statement. The next page begins `after` the last plan of this one.
  [[nodiscard]] base::Result<std::vector<PlanSummary>> list(
      const PlanFilter& filter, std::size_t limit, const model::PlanId& after = {},
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// How many list() would return without a limit, by project. Of the filter, only the projects and
  /// the state count.
  [[nodiscard]] base::Result<std::vector<ProjectPlans>> count(const PlanFilter& filter,
                                                              bool with_subplans,
                                                              const base::StopToken& stop = {});

  /// `not_found` if there is no such plan.
  [[nodiscard]] base::Result<PlanSummary> find(const model::PlanId& plan,
                                               const base::StopToken& stop = {},
                                               base::Deadline deadline = base::Deadline::never());

  /// The plan whose id has this prefix, in either case. `not_found` if there is none, `conflict` if
  /// there are several, `invalid_argument` if no id can begin like this.
  [[nodiscard]] base::Result<PlanSummary> find_by_prefix(
      const std::string& prefix, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  [[nodiscard]] base::Result<std::vector<PlanSummary>> list_of_all(const PlanFilter& filter,
                                                                   std::size_t limit,
                                                                   const model::PlanId& after,
                                                                   const base::StopToken& stop,
                                                                   base::Deadline deadline);

  Engine& engine_;
};

}  // namespace clever::storage
