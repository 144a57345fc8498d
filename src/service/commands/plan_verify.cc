#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/plan/plan_verification.h"

namespace clever::service {
namespace {

Checks::Check judged_check(std::string name, const std::vector<std::string>& wrong,
                           std::string good) {
  if (wrong.empty()) return {std::move(name), Verdict::kOk, std::move(good), ""};
  std::string detail = wrong.front();
  if (wrong.size() > 1) detail += " (and " + std::to_string(wrong.size() - 1) + " more)";
  return {std::move(name), Verdict::kFail, std::move(detail), ""};
}

Document texts_of(const std::vector<std::string>& texts) {
  Document list = Document::list();
  for (const std::string& text : texts) list.push(text);
  return list;
}

Report report_of(const model::PlanId& plan, const PlanFindings& found) {
  Report report;
  report.data.set("plan_id", plan.to_string())
      .set("sound", found.sound())
      .set("plans", found.plans)
      .set("events", found.events)
      .set("sealed_changesets", found.changesets)
      .set("open_effects", found.open_effects)
      .set("faults", Document::map()
                         .set("chain", texts_of(found.chain))
                         .set("fold", texts_of(found.fold))
                         .set("digests", texts_of(found.digests))
                         .set("effects", texts_of(found.effects)));
  report.view = {Checks{
      "plan",
      {judged_check("chain", found.chain,
                    counted(found.events, "event") + " of " + counted(found.plans, "plan") +
                        ", every hash as it was written"),
       judged_check("state", found.fold, "follows from the journal, and all invariants hold"),
       judged_check("digests", found.digests,
                    counted(found.changesets, "sealed changeset") + ", as they were sealed"),
       judged_check("effects", found.effects, counted(found.open_effects, "open effect"))}}};
  if (found.sound()) return report;
  report.status = Status::kError;
  report.exit_code = ExitCode::kError;
  report.messages.push_back(
      {Message::Level::kError, "the plan's journal was changed after it was written"});
  report.messages.push_back({Message::Level::kHint,
                             "`agents db rebuild` rebuilds the tables from the journals; a changed "
                             "journal needs a backup"});
  return report;
}

base::Result<Report> verify(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const storage::PlanSummary plan,
                database.find(words.empty() ? std::string() : words.front()));
  CLEVER_ASSIGN(const PlanFindings found,
                verify_plan(database.engine(), context.clock(), plan.id, context.stop()));
  return report_of(plan.id, found);
}

}  // namespace

Command plan_verify_command() {
  return {.name = "verify",
          .summary = "Check that a plan's journal is intact",
          .description =
              "Recomputes the hash chain of the plan's journal and its subplans' journals, folds "
              "them, and checks the invariants of every state, the digests of sealed changesets, "
              "and the ledger of effects. Exits with 1 if anything is wrong.",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan verify", "The newest plan of this folder"},
                       {"agents plan verify 01JD --format json", "A given plan, for a program"}},
          .handler = verify};
}

}  // namespace clever::service
