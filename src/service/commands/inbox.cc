#include <string>
#include <utility>

#include "base/text.h"
#include "service/caller.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/commands/plan_background.h"
#include "service/plan/approval_inbox.h"
#include "service/text.h"
#include "service/timestamp.h"
#include "storage/audit_log.h"

namespace clever::service {
namespace {

constexpr std::int64_t kMostApprovals = 1000;
constexpr std::size_t kShortDigest = 12;
constexpr std::size_t kAskedWidth = 60;

Document approval_document(const WaitingApproval& waiting) {
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
  CLEVER_ASSIGN(const auto waiting,
                waiting_approvals(database, static_cast<std::size_t>(limit), context));
  Report report;
  Document all = Document::list();
  Table table{"", {"approval", "asks", "task", "since"}, {}};
  for (const WaitingApproval& one : waiting) {
    all.push(approval_document(one));
    table.rows.push_back({{one.id.text(), Tone::kStrong},
                          {asked_in_one_line(one.request)},
                          {one_line(one.plan.title, kAskedWidth)},
                          {shown_time(one.plan.updated), Tone::kDim}});
  }
  report.data.set("approvals", std::move(all));
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
    return base::conflict("the digest " + in_quotes(*typed) + " is not that of what " + id_.text() +
                          " asks now, " + waiting.digest);
  }

  // It was answered, or the plan moved on without an answer.
  base::Result<Report> is_over() {
    CLEVER_ASSIGN(const auto receipt, approval_receipt(database_, id_, context_));
    if (!receipt) {
      return failed(
          base::conflict("the approval " + id_.text() + " is void: its plan does not ask that now"),
          "`agents inbox list` shows what waits");
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

Option limit_option() {
  return {.name = "limit", .value = "N", .summary = "So many at most (default 100)"};
}

}  // namespace

Command inbox_list_command() {
  return {.name = "list",
          .aliases = {"ls"},
          .summary = "List the approvals that plans wait for, in all projects",
          .options = {limit_option(), plan_database_option()},
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
          .options = {limit_option(), plan_database_option()},
          .examples = {{"agents inbox", "What waits for you"},
                       {"agents inbox answer 01KD….1 approve", "Say yes to one"}},
          .subcommands = {inbox_list_command(), inbox_answer_command()},
          .handler = list_inbox};
}

}  // namespace clever::service
