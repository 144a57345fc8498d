#include <chrono>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "service/caller.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/commands/plan_background.h"
#include "service/notice/notice_queue.h"
#include "service/plan/approval_inbox.h"
#include "service/text.h"
#include "service/timestamp.h"
#include "storage/audit_log.h"
#include "worker/job_queue.h"

namespace clever::service {
namespace {

constexpr std::int64_t kMostApprovals = 1000;
constexpr std::size_t kShortDigest = 12;
constexpr std::size_t kAskedWidth = 60;

Document expiry(const model::ApprovalRequested& request) {
  return request.expires ? Document(shown_time(*request.expires)) : Document();
}

model::Timestamp now_in(const Context& context) {
  return std::chrono::floor<std::chrono::microseconds>(context.clock().wall_now());
}

Document approval_document(const WaitingApproval& waiting, model::Timestamp now) {
  Document items = Document::list();
  for (const model::ApprovalItem& item : waiting.request.items) {
    items.push(Document::map().set("id", item.id).set("what", item.what).set("why", item.why));
  }
  return Document::map()
      .set("id", waiting.id.text())
      .set("plan_id", waiting.id.plan.to_string())
      .set("parent_id",
           waiting.plan.parent ? Document(waiting.plan.parent.to_string()) : Document())
      .set("project", waiting.plan.project)
      .set("task", waiting.plan.title)
      .set("subject", waiting.request.subject)
      .set("items", std::move(items))
      .set("digest", waiting.digest)
      .set("asked_at", shown_time(waiting.plan.updated))
      .set("expires_at", expiry(waiting.request))
      .set("expired", waiting.request.is_expired(now))
      .set("right", to_string(Right::kApprove));
}

Document receipt_document(const ApprovalId& id, const ApprovalReceipt& receipt) {
  return Document::map()
      .set("id", id.text())
      .set("plan_id", id.plan.to_string())
      .set("answer", receipt.approved ? "approve" : "reject")
      .set("rejected", Document::texts(receipt.rejected))
      .set("reason", receipt.reason.empty() ? Document() : Document(receipt.reason))
      .set("sequence", receipt.sequence)
      .set("answered_at", shown_time(receipt.time));
}

std::string asked_in_one_line(const model::ApprovalRequested& request) {
  if (request.items.empty()) return request.subject;
  std::string text = request.items.front().what;
  if (request.items.size() > 1)
    text += " and " + std::to_string(request.items.size() - 1) + " more";
  return one_line(text, kAskedWidth);
}

base::Result<Report> list_inbox(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::int64_t limit,
                number_option(invocation, "limit", 100, 1, kMostApprovals));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  ApprovalId after;
  if (const auto typed = invocation.value("after")) {
    CLEVER_ASSIGN(after, ApprovalId::parse(*typed));
  }
  // One more tells whether there are more.
  CLEVER_ASSIGN(auto waiting, waiting_approvals(database, static_cast<std::size_t>(limit) + 1,
                                                after.plan, context));
  const bool has_more = std::ssize(waiting) > limit;
  if (has_more) waiting.pop_back();
  Report report;
  Document all = Document::list();
  Table table{"", {"approval", "asks", "task", "since"}, {}};
  for (const WaitingApproval& one : waiting) {
    all.push(approval_document(one, now_in(context)));
    const bool expired = one.request.is_expired(now_in(context));
    table.rows.push_back({{one.id.text(), Tone::kStrong},
                          {(expired ? "(expired) " : "") + asked_in_one_line(one.request)},
                          {one_line(one.plan.title, kAskedWidth)},
                          {shown_time(one.plan.updated), Tone::kDim}});
  }
  base::SystemRandom random;
  worker::JobQueue queue(database.engine(), context.clock(), random);
  CLEVER_ASSIGN(const worker::Counts notices, queue.counts(std::string(kNoticeQueue)));
  if (notices.dead > 0 && context.sees_all()) {
    report.messages.push_back(
        {Message::Level::kWarning,
         counted(static_cast<std::uint64_t>(notices.dead), "notice") +
             " could not be delivered: `agents inbox notices` says why, `agents inbox retry` tries "
             "again"});
  }
  report.data.set("approvals", std::move(all))
      .set("next", has_more ? Document(waiting.back().id.text()) : Document());
  if (waiting.empty()) {
    report.view = {Prose{{{{"No plan waits for an approval."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

/// One answer to one approval. Used by one thread.
class InboxAnswer {
 public:
  InboxAnswer(const Invocation& invocation, Context& context, const PlanDatabase& database,
              ApprovalId id)
      : invocation_(invocation), context_(context), database_(database), id_(id) {}

  base::Result<Report> give(bool approves) {
    CLEVER_ASSIGN(storage::PlanSummary summary, database_.find(id_.plan.to_string()));
    CLEVER_ASSIGN(plan::State state, database_.state(id_.plan));
    const auto waiting = waiting_approval(state, summary);
    if (!waiting || waiting->id != id_) return is_over();
    if (waiting->request.is_expired(now_in(context_))) return has_expired(*waiting);
    CLEVER_TRY(check_digest(*waiting));
    const std::string reason(invocation_.value("reason").value_or(""));
    const plan::Command command = approves ? plan::Command(plan::Approve{id_.number, {}})
                                           : plan::Command(plan::Reject{id_.number, {}, reason});
    CLEVER_ASSIGN(const Report driven,
                  drive_in_background({database_, std::move(summary), std::move(state)}, command,
                                      invocation_, context_));
    // Another answer was faster.
    if (driven.exit_code == ExitCode::kConflict) return is_over();
    if (driven.exit_code != ExitCode::kOk) return driven;
    CLEVER_ASSIGN(const auto receipt, approval_receipt(database_, id_, context_));
    if (!receipt || receipt->approved != approves) return is_over();
    CLEVER_TRY(note(waiting->digest, approves));
    Report report;
    report.data = receipt_document(id_, *receipt);
    report.view = {Prose{{{{approves ? "approved: " : "rejected: "},
                           {asked_in_one_line(waiting->request), Tone::kStrong}}}}};
    return report;
  }

 private:
  [[nodiscard]] base::Result<void> check_digest(const WaitingApproval& waiting) const {
    const auto typed = invocation_.value("digest");
    if (!typed) return {};
    if (typed->size() >= kShortDigest && waiting.digest.starts_with(*typed)) return {};
    return base::conflict("the digest " + in_quotes(*typed) + " does not match what " + id_.text() +
                          " asks now: its digest is " + waiting.digest);
  }

  [[nodiscard]] Report has_expired(const WaitingApproval& waiting) const {
    const std::string when = shown_time(*waiting.request.expires);
    Report report =
        failed(base::conflict("the approval " + id_.text() + " is void: it expired at " + when),
               "`agents resume " + id_.plan.to_string() + "` asks again");
    report.data = Document::map()
                      .set("id", id_.text())
                      .set("plan_id", id_.plan.to_string())
                      .set("answer", "expired")
                      .set("expired_at", when);
    return report;
  }

  // It was answered, or the plan moved on without an answer.
  base::Result<Report> is_over() {
    CLEVER_ASSIGN(const auto receipt, approval_receipt(database_, id_, context_));
    if (!receipt) {
      return failed(
          base::conflict("the approval " + id_.text() + " is void: its plan no longer asks this"),
          "`agents inbox list` shows the open ones");
    }
    Report report = failed(base::conflict("the approval " + id_.text() + " was answered at " +
                                          shown_time(receipt->time) + ": " +
                                          (receipt->approved ? "approve" : "reject")));
    report.data = receipt_document(id_, *receipt);
    return report;
  }

  base::Result<void> note(const std::string& digest, bool approves) {
    const Caller* caller = context_.caller();
    CLEVER_TRY(storage::AuditLog(database_.engine(), context_.clock())
                   .append({.caller = caller == nullptr ? command_line_caller().name : caller->name,
                            .action = approves ? "inbox.approve" : "inbox.reject",
                            .target = id_.text(),
                            .outcome = "done",
                            .detail = "digest " + digest},
                           {}, context_.stop()));
    return {};
  }

  const Invocation& invocation_;
  Context& context_;
  const PlanDatabase& database_;
  const ApprovalId id_;
};

base::Result<Report> answer_inbox(const Invocation& invocation, Context& context) {
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const ApprovalId id, ApprovalId::parse(words[0]));
  if (words[1] != "approve" && words[1] != "reject") {
    return base::invalid_argument("answer: expected approve or reject, not " + in_quotes(words[1]));
  }
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  return InboxAnswer(invocation, context, database, id).give(words[1] == "approve");
}

std::vector<Option> list_options() {
  return {{.name = "limit", .value = "N", .summary = "At most this many (default 100)"},
          {.name = "after", .value = "APPROVAL", .summary = "Only those of older plans"},
          plan_database_option()};
}

}  // namespace

Command inbox_list_command() {
  return {.name = "list",
          .aliases = {"ls"},
          .summary = "List the approvals that plans wait for, in all projects",
          .options = list_options(),
          .examples = {{"agents inbox list", "What waits for you"}},
          .handler = list_inbox};
}

Command inbox_answer_command() {
  return {.name = "answer",
          .summary = "Answer an approval; the plan continues in the background",
          .description =
              "The first answer counts. Later ones, and answers to what the plan does not ask any "
              "more, change nothing (exit code 4); the receipt of the first answer is shown. The "
              "audit log says who answered.",
          .positionals = {{.name = "APPROVAL", .summary = "Its id, as the list shows it"},
                          {.name = "ANSWER",
                           .summary = "approve or reject",
                           .choices = {"approve", "reject"}}},
          .options = {{.name = "digest",
                       .value = "DIGEST",
                       .summary = "Refuse unless this is what it asks"},
                      {.name = "reason",
                       .value = "TEXT",
                       .summary = "With reject: the reason that the model gets"},
                      plan_database_option()},
          .examples = {{"agents inbox answer 01KD….1 approve", "Approve all it asks"},
                       {"agents inbox answer 01KD….1 reject --reason \"not on a Friday\"",
                        "Reject it"}},
          .handler = answer_inbox};
}

Command inbox_command() {
  return {.name = "inbox",
          .summary = "Show and answer the approvals that plans wait for",
          .description =
              "A plan that needs an approval waits for it and holds no resources. The inbox has "
              "those of all projects; `agents plan approve` answers one plan's in detail.",
          .options = list_options(),
          .examples = {{"agents inbox", "What waits for you"},
                       {"agents inbox answer 01KD….1 approve", "Say yes to one"}},
          .subcommands = {inbox_list_command(), inbox_answer_command(), inbox_notices_command(),
                          inbox_retry_command()},
          .handler = list_inbox};
}

}  // namespace clever::service
