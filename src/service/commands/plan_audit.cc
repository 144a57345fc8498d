#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>

#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/plan/audit_trail.h"
#include "service/plan/kept_message.h"

namespace clever::service {
namespace {

Tone tone_of_audit(const std::string& what) {
  if (what == "approved" || what == "applied") return Tone::kGood;
  if (what == "rejected" || what == "denied" || what == "blocked" || what == "constrained") {
    return Tone::kBad;
  }
  return what == "asked" ? Tone::kWarn : Tone::kPlain;
}

Document audit_document(const AuditEntry& entry) {
  return Document::map()
      .set("plan_id", entry.plan.to_string())
      .set("sequence", entry.sequence)
      .set("time", shown_time(entry.time))
      .set("what", entry.what)
      .set("subject", entry.subject)
      .set("detail", entry.detail)
      .set("by", entry.by);
}

base::Result<Report> audit(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(const auto tree, plan.database.tree(plan.summary.id));
  const MessageOf message_of = [&](const base::Sha256Digest& body) {
    auto message = kept_message(plan.database.engine(), body, context.stop());
    return message.ok() ? std::optional(*std::move(message)) : std::nullopt;
  };
  std::vector<AuditEntry> entries;
  for (const storage::PlanSummary& each : tree) {
    CLEVER_ASSIGN(const auto events, all_events(plan.database, each.id, context));
    CLEVER_ASSIGN(auto trail, audit_trail(events, message_of));
    std::ranges::move(trail, std::back_inserter(entries));
  }
  std::ranges::sort(entries, {}, [](const AuditEntry& entry) {
    return std::tuple(entry.time, entry.plan, entry.sequence);
  });
  Report report;
  Document list = Document::list();
  Table table{"", {"time", "plan", "what", "by", "of", "detail"}, {}};
  for (const AuditEntry& entry : entries) {
    list.push(audit_document(entry));
    table.rows.push_back({{shown_time(entry.time), Tone::kDim},
                          {entry.plan.to_string(), Tone::kDim},
                          {entry.what, tone_of_audit(entry.what)},
                          {entry.by},
                          {one_line(entry.subject, 80)},
                          {one_line(entry.detail, 160), Tone::kDim}});
  }
  report.data.set("plan_id", plan.summary.id.to_string())
      .set("profile", plan.state.settings.profile)
      .set("entries", std::move(list));
  if (entries.empty()) {
    report.view = {Prose{{{{"No approvals, no denied calls, nothing applied."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

}  // namespace

Command plan_audit_command() {
  return {.name = "audit",
          .summary = "Show who allowed what, and when",
          .description =
              "Read from the journals of a plan and its subplans: approvals and their answers, "
              "calls that rules and guards denied or hooks blocked, invariants in force, "
              "corrections, and what was applied and undone. The person is the "
              "account at the command line, and the token's owner over HTTP.",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan audit", "The newest plan of this folder"},
                       {"agents plan audit 01JD --format json", "For a program"}},
          .handler = audit};
}

}  // namespace clever::service
