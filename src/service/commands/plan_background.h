#pragma once
// Plans that a process in the background drives. Private to the module.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/id.h"
#include "service/commands/plan_act.h"
#include "service/commands/run_report.h"
#include "service/plan/plan_jobs.h"

namespace clever::service {

/// --detach, for commands that can leave a plan to a process in the background.
[[nodiscard]] Option detach_option();
/// Those of driving_options() that are given, as `plan drive` takes them.
[[nodiscard]] std::vector<std::string> driving_words(const Invocation& invocation,
                                                     const Context& context);

/// Where a process that drives this plan in the background writes to.
[[nodiscard]] std::filesystem::path background_log(const model::PlanId& plan,
                                                   const Context& context);
/// Whether a worker would drive plans as the command line says: it has answers of its own, and
/// confines what runs.
[[nodiscard]] bool can_be_queued(const Invocation& invocation, const Context& context);
/// Leaves plans to a worker that works as this process would. None: there is none.
[[nodiscard]] base::Result<std::optional<Driver>> offer_to_worker(storage::Engine& engine,
                                                                  const PlanJob& job,
                                                                  worker::Priority priority,
                                                                  const Invocation& invocation,
                                                                  Context& context);
/// Leaves plans to a process that it starts. `unavailable` where that cannot be.
[[nodiscard]] base::Result<Driver> start_driver(const PlanJob& job, const Invocation& invocation,
                                                const Context& context);

/// As drive_on(), but leaves the plan to a process in the background, and starts one if there is
/// none. The command goes through the plan's inbox. Returns once the process has read it.
/// `deadline_exceeded` says that it was not yet: it is not lost.
[[nodiscard]] base::Result<Report> drive_in_background(MeantPlan plan,
                                                       const std::optional<plan::Command>& first,
                                                       const Invocation& invocation,
                                                       Context& context,
                                                       const model::PlanId& target = {});

}  // namespace clever::service
