#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "storage/journal_verify.h"
#include "storage/row_verify.h"

namespace clever::service {
namespace {

using storage::JournalFault;
using storage::JournalVerdict;
using storage::RowFault;
using storage::RowVerdict;

// The findings: damage of the files, and faults of the journals.
struct DatabaseFindings {
  std::vector<std::string> damage;
  JournalVerdict verdict;
  RowVerdict rows;

  [[nodiscard]] std::size_t count() const {
    return damage.size() + verdict.faults.size() + rows.faults.size();
  }
};

// Damage is a finding; any other error means that the check could not run.
base::Result<void> note_damage(const base::Result<void>& outcome, DatabaseFindings& findings) {
  if (outcome.ok()) return {};
  if (outcome.error().code() != base::ErrorCode::kCorruption) return outcome;
  findings.damage.push_back(outcome.error().sentence());
  return {};
}

base::Result<DatabaseFindings> find_faults(storage::Engine& engine, Context& context) {
  const auto progress = context.progress();
  DatabaseFindings findings;
  CLEVER_TRY(note_damage(engine.check_integrity(progress, context.stop()), findings));
  auto verdict = storage::JournalVerify(engine).verify_all(progress, context.stop());
  if (verdict.ok()) {
    findings.verdict = std::move(verdict).value();
  } else {
    CLEVER_TRY(note_damage(verdict.error(), findings));
  }
  auto rows = storage::RowVerify(engine, context.clock()).verify(progress, context.stop());
  if (rows.ok()) {
    findings.rows = std::move(rows).value();
  } else {
    CLEVER_TRY(note_damage(rows.error(), findings));
  }
  return findings;
}

Document findings_data(const DatabaseFindings& findings) {
  Document faults = Document::list();
  for (const std::string& damage : findings.damage) {
    faults.push(Document::map().set("kind", "damage").set("what", damage));
  }
  for (const JournalFault& fault : findings.verdict.faults) {
    Document item = Document::map().set("kind", "journal").set("what", fault.what);
    if (fault.plan) item.set("plan", fault.plan.to_string());
    if (fault.sequence != 0) item.set("event", fault.sequence);
    faults.push(std::move(item));
  }
  for (const RowFault& fault : findings.rows.faults) {
    faults.push(Document::map()
                    .set("kind", "row")
                    .set("table", fault.table)
                    .set("row", fault.row)
                    .set("what", fault.what));
  }
  return Document::map()
      .set("sound", findings.count() == 0)
      .set("plans", findings.verdict.plans)
      .set("events", findings.verdict.events)
      .set("bodies", findings.verdict.bodies)
      .set("rows", findings.rows.rows)
      .set("expired_payloads", findings.verdict.expired)
      .set("faults", std::move(faults));
}

Checks::Check judged(const char* name, const std::string& looked_at, std::size_t faults) {
  if (faults == 0) return {name, Verdict::kOk, looked_at, ""};
  return {name, Verdict::kFail, looked_at + ": " + counted(faults, "fault"), ""};
}

Checks::Check fault_of(std::string text) { return {"fault", Verdict::kFail, std::move(text), ""}; }

std::string expired_words(const JournalVerdict& verdict) {
  if (verdict.expired == 0) return {};
  return "; " + counted(verdict.expired, "payload") + " expired";
}

Checks faults_view(const DatabaseFindings& findings) {
  const JournalVerdict& verdict = findings.verdict;
  Checks checks{"database", {}};
  checks.checks.push_back(
      judged("integrity", "pages, indexes and references", findings.damage.size()));
  checks.checks.push_back(judged("journal",
                                 counted(verdict.plans, "plan") + ", " +
                                     counted(verdict.events, "event") + ", " +
                                     counted(verdict.bodies, "content") + expired_words(verdict),
                                 verdict.faults.size()));
  checks.checks.push_back(
      judged("rows", counted(findings.rows.rows, "row"), findings.rows.faults.size()));
  for (const std::string& damage : findings.damage) checks.checks.push_back(fault_of(damage));
  for (const JournalFault& fault : verdict.faults) {
    checks.checks.push_back(fault_of(fault.to_string()));
  }
  for (const RowFault& fault : findings.rows.faults) {
    checks.checks.push_back(fault_of(fault.to_string()));
  }
  return checks;
}

base::Result<Report> report_faults(const storage::DatabaseUrl& url, const Invocation&,
                                   Context& context) {
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kAsItIs));
  CLEVER_ASSIGN(const DatabaseFindings findings, find_faults(*engine, context));
  Report report;
  report.data = findings_data(findings);
  report.data.set("address", url.normalised());
  report.view = {faults_view(findings)};
  if (findings.count() == 0) return report;
  report.status = Status::kError;
  report.exit_code = ExitCode::kError;
  report.messages = {{Message::Level::kError,
                      url.normalised() + " is damaged: " + counted(findings.count(), "fault")},
                     {Message::Level::kHint, std::string(cure(base::ErrorCode::kCorruption, url))}};
  return report;
}

base::Result<Report> verify_database(const Invocation& invocation, Context& context) {
  return with_database(report_faults, invocation, context);
}

}  // namespace

Command db_verify_command() {
  return {
      .name = "verify",
      .summary = "Check the database: its pages, the hash of every event, and the rows beside them",
      .description =
          "Checks pages, indexes and references, then recomputes every plan's hash chain and the "
          "hash of every stored payload. Finds events that were changed, removed or inserted after "
          "they were written, and changed rows beside the journal: commands, call traces, caps, "
          "leases, and every table derived from events. Finds rows and journals that something "
          "else "
          "deleted, and checks the tombstones of journals that agents deleted. Changes nothing, "
          "not even the schema's "
          "version.\n\nThe exit code is 1 if anything is wrong.",
      .options = {database_option()},
      .examples = {{"agents db verify", "Check everything"},
                   {"agents db verify --database sqlite:backup.db", "Check a backup"},
                   {"agents db verify --format json", "The faults for a program"}},
      .handler = verify_database};
}

}  // namespace clever::service
