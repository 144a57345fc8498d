#pragma once
// Plans as jobs of the queue in the database, for workers. Private to the module.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/id.h"
#include "model/work_events.h"
#include "service/context.h"
#include "storage/engine.h"
#include "storage/unit_of_work.h"
#include "worker/job_queue.h"
#include "worker/roster.h"

namespace clever::service {

/// The default queue of plans and workers.
inline constexpr std::string_view kPlanQueue = "default";

/// What a worker does: drive plans until they are at rest. A value.
struct PlanJob {
  /// Root plans; they land in this order.
  std::vector<model::PlanId> plans{};
  /// The subplan of one of them that a command was sent to; none: there is none.
  model::PlanId target{};
  /// How each lands once it is ready; none: only those that do so by themselves.
  std::optional<model::ApplyRequested> apply{};

  friend bool operator==(const PlanJob&, const PlanJob&) = default;
};

[[nodiscard]] std::string to_body(const PlanJob& job);
[[nodiscard]] base::Result<PlanJob> parse_plan_job(std::string_view body);

/// A digest of what decides how a process works on plans: providers with their keys, and the
/// settings that do not come from a file of this home or of the project.
[[nodiscard]] base::Result<std::string> work_digest(const config::Settings& settings,
                                                    const Context& context);

/// The processes that take jobs from the database's queues, this one too.
[[nodiscard]] base::Result<std::vector<worker::WorkerRecord>> living_workers(
    storage::Engine& engine, const Context& context);

/// Whether plans that this process makes go into the queue: in a server always, elsewhere if a
/// worker of this home works by the settings and keys of this process.
[[nodiscard]] base::Result<bool> goes_to_worker(storage::Engine& engine, Context& context);

/// The first job of new plans, for the transaction that makes the last of them: there is never one
/// without the other.
[[nodiscard]] base::Result<storage::UnitOfWork> first_job(const PlanJob& job,
                                                          worker::Priority priority,
                                                          Context& context);
/// The number of that job; 0: it is done already.
[[nodiscard]] base::Result<std::int64_t> number_of_first_job(storage::Engine& engine,
                                                             const model::PlanId& last,
                                                             Context& context);

/// Adds a job to a transaction: that of a command to the plan, for one.
base::Result<worker::EnqueueTicket> add_job(storage::UnitOfWork& unit, const PlanJob& job,
                                            worker::Priority priority, Context& context);

/// Puts plans into the queue, for a worker. None: no worker of this home works by the settings and
/// keys of this process, and nothing was done.
[[nodiscard]] base::Result<std::optional<worker::JobId>> hand_to_worker(storage::Engine& engine,
                                                                        const PlanJob& job,
                                                                        worker::Priority priority,
                                                                        Context& context);

}  // namespace clever::service
