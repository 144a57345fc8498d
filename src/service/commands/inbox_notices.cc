#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/notice/notice_queue.h"
#include "service/timestamp.h"
#include "storage/plans.h"
#include "worker/job_queue.h"

namespace clever::service {
namespace {

constexpr std::int64_t kMostNotices = 10'000;

/// A notice that is not delivered, and its job.
struct OpenNotice {
  worker::JobView job;
  Notice notice;
};

// Those whose plans exist for the caller.
base::Result<std::vector<OpenNotice>> open_notices(const PlanDatabase& database, std::size_t limit,
                                                   const Context& context) {
  base::SystemRandom random;
  worker::JobQueue queue(database.engine(), context.clock(), random);
  CLEVER_ASSIGN(auto jobs, queue.list(std::string(kNoticeQueue), limit));
  storage::Plans plans(database.engine());
  std::vector<OpenNotice> open;
  for (worker::JobView& job : jobs) {
    auto notice = parse_notice(job.body);
    if (!notice.ok()) continue;
    const auto plan = plans.find(notice->plan, context.stop());
    if (!plan.ok() && plan.error().code() != base::ErrorCode::kNotFound) return plan.error();
    if (!plan.ok() || !context.sees_project(plan->project)) continue;
    open.push_back({std::move(job), *std::move(notice)});
  }
  return open;
}

Document notice_document(const OpenNotice& open) {
  return Document::map()
      .set("id", open.notice.id())
      .set("target", open.notice.target)
      .set("event", open.notice.event)
      .set("plan_id", open.notice.plan.to_string())
      .set("state", open.job.state)
      .set("attempts", open.job.attempts)
      .set("created_at", timestamp(open.job.enqueued))
      .set("error", open.job.error.empty() ? Document() : Document(open.job.error));
}

base::Result<Report> list_notices(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::int64_t limit, number_option(invocation, "limit", 100, 1, kMostNotices));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto open, open_notices(database, static_cast<std::size_t>(limit), context));
  Report report;
  Document all = Document::list();
  Table table{"", {"notice", "event", "target", "state", "attempts", "why"}, {}};
  for (const OpenNotice& one : open) {
    all.push(notice_document(one));
    const bool dead = one.job.state == "dead";
    table.rows.push_back({{one.notice.id(), Tone::kStrong},
                          {one.notice.event},
                          {one.notice.target},
                          {dead ? "given up" : one.job.state, dead ? Tone::kBad : Tone::kPlain},
                          {std::to_string(one.job.attempts)},
                          {one_line(one.job.error, context.width()), Tone::kDim}});
  }
  report.data.set("notices", std::move(all));
  if (open.empty()) {
    report.view = {Prose{{{{"Every notice is delivered."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

base::Result<Report> retry_notices(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto open, open_notices(database, kMostNotices, context));
  std::vector<worker::JobId> dead;
  for (const OpenNotice& one : open) {
    if (one.job.state == "dead") dead.push_back(one.job.id);
  }
  base::SystemRandom random;
  worker::JobQueue queue(database.engine(), context.clock(), random);
  CLEVER_ASSIGN(const std::size_t retried, queue.retry_dead(std::string(kNoticeQueue), dead));
  Report report;
  report.data.set("retried", retried);
  report.view = {Prose{{{{counted(retried, "notice") + " will be delivered again"}}}}};
  return report;
}

}  // namespace

Command inbox_notices_command() {
  return {.name = "notices",
          .summary = "List notices that are not delivered yet, and those that were given up",
          .description =
              "A `[[notify]]` of your settings gets a notice when a plan waits for you, completes, "
              "fails or is applied. `agents server` and `agents worker` deliver it, at least once, "
              "and try again with growing pauses for most of a day.",
          .options = {{.name = "limit", .value = "N", .summary = "At most this many (default 100)"},
                      plan_database_option()},
          .examples = {{"agents inbox notices", "What has not arrived, and why"}},
          .handler = list_notices};
}

Command inbox_retry_command() {
  return {.name = "retry",
          .summary = "Deliver notices that were given up again",
          .options = {plan_database_option()},
          .examples = {{"agents inbox retry", "After the receiver is mended"}},
          .handler = retry_notices};
}

}  // namespace clever::service
