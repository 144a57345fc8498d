#include "service/notice/notice_delivery.h"

#include <algorithm>
#include <utility>

#include "base/hmac.h"
#include "io/http_fetch.h"
#include "io/process.h"
#include "model/document_json.h"
#include "plan/decide.h"
#include "service/commands/plan.h"
#include "service/plan/approval_inbox.h"
#include "storage/journal.h"
#include "storage/plans.h"

namespace clever::service {
namespace {

using model::Document;

constexpr std::size_t kMostAnswer = std::size_t{64} << 10U;

std::int64_t unix_time(const base::Clock& clock) {
  return std::chrono::floor<std::chrono::seconds>(clock.wall_now()).time_since_epoch().count();
}

Document approval_of(const plan::State& state, const storage::PlanSummary& summary) {
  const auto waiting = waiting_approval(state, summary);
  if (!waiting) return {};
  Document items = Document::list();
  for (const model::ApprovalItem& item : waiting->request.items) {
    items.push(Document::map().set("what", item.what).set("why", item.why));
  }
  return Document::map()
      .set("id", waiting->id.text())
      .set("subject", waiting->request.subject)
      .set("items", std::move(items))
      .set("digest", waiting->digest);
}

base::Result<void> post(const NoticeTarget& target, const Notice& notice, std::string body,
                        io::Http& http, base::Clock& clock, const base::StopToken& stop) {
  io::HttpRequest request{.url = target.url,
                          .headers = {{"Content-Type", "application/json"},
                                      {"CleverAgents-Event", notice.event},
                                      {"CleverAgents-Delivery", notice.id()}},
                          .body = std::move(body),
                          .answer_limit = kMostAnswer,
                          .public_only = !target.allow_private};
  if (!target.secret_variable.empty()) {
    if (target.secret.empty()) {
      return base::unavailable("its key is missing: " + target.secret_variable + " is not set");
    }
    request.headers.push_back(
        {"CleverAgents-Signature", notice_signature(target, unix_time(clock), request.body)});
  }
  CLEVER_ASSIGN(
      const io::HttpAnswer answer,
      io::fetch(http, std::move(request), stop, base::Deadline::after(clock, target.timeout)));
  const int status = answer.head.status;
  if (status >= 200 && status < 300) return {};
  const bool redirects = status >= 300 && status < 400;
  return base::unavailable("it answered with status " + std::to_string(status) +
                           (redirects ? "; redirects are not followed" : ""));
}

base::Result<void> run(const NoticeTarget& target, std::string body, base::Clock& clock,
                       const base::StopToken& stop) {
  CLEVER_ASSIGN(const io::ProcessResult result,
                io::run_process({.argv = target.argv,
                                 .standard_input = std::move(body),
                                 .deadline = base::Deadline::after(clock, target.timeout),
                                 .stop = stop,
                                 .output_limit = kMostAnswer}));
  if (result.succeeded()) return {};
  return base::unavailable("the command ended with exit code " + std::to_string(result.exit_code) +
                           ": " + one_line(result.error_output, 200));
}

}  // namespace

base::Result<std::string> notice_body(storage::Engine& engine, const Notice& notice,
                                      const base::Clock& clock) {
  CLEVER_ASSIGN(const storage::PlanSummary summary, storage::Plans(engine).find(notice.plan));
  CLEVER_ASSIGN(const storage::LoadedPlan loaded,
                storage::Journal(engine, clock).load(notice.plan));
  CLEVER_ASSIGN(const plan::State state, plan::fold(loaded.events));
  const auto index = static_cast<std::size_t>(notice.sequence - 1);
  if (notice.sequence < 1 || index >= loaded.events.size()) {
    return base::not_found("the plan has no event " + std::to_string(notice.sequence));
  }
  return model::to_json(
      Document::map()
          .set("id", notice.id())
          .set("event", notice.event)
          .set("time", shown_time(loaded.events[index].time))
          .set("plan", Document::map()
                           .set("plan_id", notice.plan.to_string())
                           .set("parent_id",
                                summary.parent ? Document(summary.parent.to_string()) : Document())
                           .set("task", summary.title)
                           .set("project", summary.project)
                           .set("phase", summary.phase)
                           .set("state", summary.state)
                           .set("reason", state.reason))
          .set("approval", approval_of(state, summary)));
}

std::string notice_signature(const NoticeTarget& target, std::int64_t unix_time,
                             std::string_view body) {
  const std::string time = std::to_string(unix_time);
  const std::string text = time + "." + std::string(body);
  return "t=" + time + ",v1=" + base::hmac_sha256(target.secret, text).to_hex();
}

base::Result<void> deliver_notice(storage::Engine& engine, const NoticeTargets& targets,
                                  const Notice& notice, Models& models, base::Clock& clock,
                                  const base::StopToken& stop) {
  const NoticeTargets::All all = targets.all();
  const auto target = std::ranges::find(*all, notice.target, &NoticeTarget::name);
  if (target == all->end()) return {};
  auto body = notice_body(engine, notice, clock);
  if (!body.ok() && body.error().code() == base::ErrorCode::kNotFound) return {};
  if (!body.ok()) return body.error();
  return target->url.empty() ? run(*target, *std::move(body), clock, stop)
                             : post(*target, notice, *std::move(body), models.http(), clock, stop);
}

}  // namespace clever::service
