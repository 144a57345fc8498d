#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/plan/plan_jobs.h"
#include "service/timestamp.h"
#include "storage/plans.h"
#include "worker/job_queue.h"

namespace clever::service {
namespace {

constexpr std::int64_t kMostJobs = 10'000;
constexpr std::size_t kTaskWidth = 40;

std::string_view to_string(worker::Priority priority) {
  constexpr std::string_view kNames[] = {"urgent", "high", "normal", "low"};
  return kNames[static_cast<std::size_t>(priority)];
}

std::string queue_of(const Invocation& invocation) {
  return std::string(invocation.value("queue").value_or(kPlanQueue));
}

/// A job and the plans it names. Skips jobs without plans.
struct QueuedPlan {
  worker::JobView job;
  PlanJob plans;
  storage::PlanSummary first;
};

// Returns the jobs whose plans the caller may see.
base::Result<std::vector<QueuedPlan>> queued_plans(const PlanDatabase& database,
                                                   std::vector<worker::JobView> jobs,
                                                   const Context& context) {
  std::vector<QueuedPlan> found;
  storage::Plans plans(database.engine());
  for (worker::JobView& job : jobs) {
    auto parsed = parse_plan_job(job.body);
    if (!parsed.ok() || parsed->plans.empty()) continue;
    auto first = plans.find(parsed->plans.front(), context.stop());
    if (!first.ok() && first.error().code() == base::ErrorCode::kNotFound) continue;
    if (!first.ok()) return first.error();
    if (!context.sees_project(first->project)) continue;
    found.push_back({std::move(job), *std::move(parsed), *std::move(first)});
  }
  return found;
}

// Why the job does not run now; empty: it does.
std::string why_it_waits(const worker::JobView& job, bool has_worker) {
  if (!job.waits_for.empty()) return job.waits_for;
  if (job.state == "blocked") return "another job of this plan runs";
  if (job.state == "later") return "tries again at " + timestamp(job.ready) + ": " + job.error;
  if (job.state != "waiting") return {};
  return has_worker ? "all slots are taken" : "no worker is running";
}

Document queued_document(const QueuedPlan& queued, const std::string& why) {
  Document plans = Document::list();
  for (const model::PlanId& plan : queued.plans.plans) plans.push(plan.to_string());
  return Document::map()
      .set("job", worker::number(queued.job.id))
      .set("plans", std::move(plans))
      .set("project", queued.first.project)
      .set("task", queued.first.title)
      .set("state", queued.job.state)
      .set("priority", to_string(queued.job.priority))
      .set("attempts", queued.job.attempts)
      .set("enqueued_at", timestamp(queued.job.enqueued))
      .set("waits_for", why.empty() ? Document() : Document(why))
      .set("error", queued.job.error.empty() ? Document() : Document(queued.job.error));
}

base::Result<Report> list_queue(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::int64_t limit, number_option(invocation, "limit", 100, 1, kMostJobs));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  base::SystemRandom random;
  worker::JobQueue queue(database.engine(), context.clock(), random);
  CLEVER_ASSIGN(auto jobs, queue.list(queue_of(invocation), static_cast<std::size_t>(limit)));
  CLEVER_ASSIGN(const auto plans, queued_plans(database, std::move(jobs), context));
  CLEVER_ASSIGN(const auto workers, living_workers(database.engine(), context));
  const bool has_worker = std::ranges::find(workers, queue_of(invocation),
                                            &worker::WorkerRecord::queue) != workers.end();
  Report report;
  Document all = Document::list();
  Table table{"", {"job", "plan", "task", "state", "priority", "since", "waits for"}, {}};
  for (const QueuedPlan& queued : plans) {
    const std::string why = why_it_waits(queued.job, has_worker);
    all.push(queued_document(queued, why));
    const bool runs = queued.job.state == "running";
    table.rows.push_back({{std::to_string(worker::number(queued.job.id)), Tone::kStrong},
                          {queued.first.id.to_string()},
                          {one_line(queued.first.title, kTaskWidth)},
                          {queued.job.state, runs ? Tone::kGood : Tone::kPlain},
                          {std::string(to_string(queued.job.priority))},
                          {timestamp(queued.job.enqueued), Tone::kDim},
                          {why}});
  }
  report.data.set("jobs", std::move(all));
  if (plans.empty()) {
    report.view = {Prose{{{{"The queue is empty."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

base::Result<Report> show_stats(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  base::SystemRandom random;
  worker::JobQueue queue(database.engine(), context.clock(), random);
  const std::string name = queue_of(invocation);
  CLEVER_ASSIGN(const worker::Counts counts, queue.counts(name));
  Report report;
  report.data.set("queue", name)
      .set("waiting", counts.waiting)
      .set("later", counts.later)
      .set("blocked", counts.blocked)
      .set("running", counts.running)
      .set("paused", counts.paused)
      .set("dead", counts.dead);
  report.view = {Fields{"",
                        {{"waiting", {std::to_string(counts.waiting)}},
                         {"for a time", {std::to_string(counts.later)}},
                         {"for a job of the same plan", {std::to_string(counts.blocked)}},
                         {"running", {std::to_string(counts.running)}},
                         {"for a limit, without a slot", {std::to_string(counts.paused)}},
                         {"given up", {std::to_string(counts.dead)}}}}};
  return report;
}

Option queue_option() {
  return {.name = "queue", .value = "NAME", .summary = "The queue (default default)"};
}

}  // namespace

Command queue_list_command() {
  return {.name = "list",
          .aliases = {"ls"},
          .summary = "List the plans in the queue, those that run first",
          .options = {queue_option(),
                      {.name = "limit", .value = "N", .summary = "At most this many (default 100)"},
                      plan_database_option()},
          .examples = {{"agents queue list", "What waits for a worker, and what runs"}},
          .handler = list_queue};
}

Command queue_stats_command() {
  return {.name = "stats",
          .summary = "Count the jobs of the queue by their state",
          .options = {queue_option(), plan_database_option()},
          .examples = {{"agents queue stats --format json", "For a monitor"}},
          .handler = show_stats};
}

Command queue_command() {
  return {.name = "queue",
          .summary = "Show what waits for a worker",
          .description =
              "Plans that run in the background are jobs in the database until they are at rest. "
              "`agents worker` and `agents server` take them by priority: answers before new "
              "plans; those of each person and project take turns.",
          .examples = {{"agents queue list", "The jobs"}, {"agents queue stats", "How many"}},
          .subcommands = {queue_list_command(), queue_stats_command()}};
}

}  // namespace clever::service
