#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/ulid.h"
#include "io/process.h"
#include "model/document_json.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/plan/plan_jobs.h"
#include "service/plan_worker.h"
#include "service/text.h"
#include "service/timestamp.h"
#include "storage/owner_lock.h"
#include "worker/roster.h"

namespace clever::service {
namespace {

constexpr std::int64_t kMostSlots = 1000;

base::Result<storage::OwnerLock> owner_lock(const Context& context) {
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  return storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                     context.stop());
}

Document worker_document(const worker::WorkerRecord& worker) {
  return Document::map()
      .set("id", worker.owner.id.to_string())
      .set("host", worker.owner.host)
      .set("process", worker.process)
      .set("queue", worker.queue)
      .set("concurrency", worker.slots)
      .set("started_at", timestamp(base::WallTime(worker.started)))
      .set("draining", worker.draining);
}

// ---- agents worker ----

base::Result<void> announce(const PlanWorker& worker, const std::string& queue,
                            const Context& context) {
  const Screen screen = context.screen();
  if (is_for_programs(screen.format)) {
    return screen.output(model::to_json(Document::map()
                                            .set("id", worker.id().to_string())
                                            .set("queue", queue)
                                            .set("concurrency", worker.slots())) +
                         "\n");
  }
  if (screen.quiet) return {};
  return screen.output("worker " + worker.id().to_string() + " takes plans from the queue " +
                       queue + ", " + std::to_string(worker.slots()) + " at once\n");
}

base::Result<Report> work(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::int64_t slots,
                number_option(invocation, "concurrency", 0, 1, kMostSlots));
  const std::string queue(invocation.value("queue").value_or(kPlanQueue));
  // Before there are threads that would take the signals. It reads its settings whenever they
  // change.
  if (!context.screen().output_is_terminal) context.on_hangup([] {});
  const base::StopToken stop = context.stop();
  CLEVER_ASSIGN(const auto url, database_url(invocation, context));
  CLEVER_TRY(require_lasting(url));
  CLEVER_ASSIGN(const auto engine, context.databases().open(url, engine_options(context), stop));
  CLEVER_ASSIGN(auto worker,
                PlanWorker::open(engine, {.queue = queue, .slots = static_cast<std::size_t>(slots)},
                                 context));
  CLEVER_TRY(announce(*worker, queue, context));
  const auto ended = worker->wait(stop);
  Report report;
  report.data = Document::map().set("id", worker->id().to_string()).set("drained", ended.ok());
  worker.reset();
  report.view = {
      Prose{{{{ended.ok() ? "drained" : "stopped; its plans wait for another worker"}}}}};
  return report;
}

// ---- agents worker list ----

base::Result<Report> list_workers(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto workers, living_workers(database.engine(), context));
  Report report;
  Document all = Document::list();
  Table table{"", {"worker", "queue", "at once", "process", "host", "since", "state"}, {}};
  for (const worker::WorkerRecord& one : workers) {
    all.push(worker_document(one));
    table.rows.push_back(
        {{one.owner.id.to_string(), Tone::kStrong},
         {one.queue},
         {std::to_string(one.slots)},
         {std::to_string(one.process)},
         {one.owner.host},
         {timestamp(base::WallTime(one.started)), Tone::kDim},
         one.draining ? Span{"draining", Tone::kWarn} : Span{"working", Tone::kGood}});
  }
  report.data.set("workers", std::move(all));
  if (workers.empty()) {
    report.view = {Prose{{{{"No worker is running. "},
                           {"agents worker", Tone::kStrong},
                           {" and "},
                           {"agents server", Tone::kStrong},
                           {" are ones."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

// ---- agents worker drain ----

base::Error no_such_worker(const std::string& word) {
  return base::not_found("there is no worker " + in_quotes(word) +
                         "; `agents worker list` lists them");
}

base::Result<Report> drain_workers(const Invocation& invocation, Context& context) {
  model::OwnerId id;
  if (!invocation.words().empty()) {
    auto parsed = model::OwnerId::parse(invocation.words().front());
    if (!parsed.ok()) return no_such_worker(invocation.words().front());
    id = *parsed;
  }
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const storage::OwnerLock owner, owner_lock(context));
  CLEVER_ASSIGN(const std::size_t asked,
                worker::Roster(database.engine(), owner).drain(id, context.stop()));
  if (id && asked == 0) {
    return no_such_worker(invocation.word(0));
  }
  Report report;
  report.data.set("draining", asked);
  report.view = {Prose{
      {{{"asked " + counted(asked, "worker") + " to finish running plans and take no new ones"}}}}};
  return report;
}

}  // namespace

Command worker_list_command() {
  return {.name = "list",
          .aliases = {"ls"},
          .summary = "List the processes that take plans from the queue",
          .options = {plan_database_option()},
          .examples = {{"agents worker list", "Servers and workers of the database"}},
          .handler = list_workers};
}

Command worker_drain_command() {
  return {.name = "drain",
          .summary = "Let workers finish their plans and take no new ones",
          .positionals = {{.name = "WORKER", .summary = "Its id (default all)", .required = false}},
          .options = {plan_database_option()},
          .examples = {{"agents worker drain", "Before an upgrade"}},
          .handler = drain_workers};
}

Command worker_command() {
  return {.name = "worker",
          .summary = "Drive plans from the queue in this process",
          .description =
              "Takes plans that `agents run --detach` and servers put into the queue, and drives "
              "them until Ctrl-C, SIGTERM or `agents worker drain`. `agents server` is a worker "
              "too. Several share the queue of one database and home. If one dies, the others "
              "take over its plans within a second; plans that are interrupted continue where "
              "they were.",
          .options = {{.name = "concurrency",
                       .value = "N",
                       .summary = "Plans at once (default 32, or plan.concurrency if less)"},
                      {.name = "queue", .value = "NAME", .summary = "The queue (default default)"},
                      plan_database_option()},
          .examples = {{"agents worker", "Until Ctrl-C"},
                       {"agents worker --concurrency 4", "Four plans at once"},
                       {"agents worker list", "Who takes plans"}},
          .subcommands = {worker_list_command(), worker_drain_command()},
          .handler = work};
}

}  // namespace clever::service
