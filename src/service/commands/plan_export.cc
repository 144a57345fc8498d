#include <utility>

#include "base/base64.h"
#include "base/utf8.h"
#include "diff/tree_diff.h"
#include "io/file.h"
#include "model/document_json.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/retention.h"
#include "service/text.h"
#include "storage/retention.h"

namespace clever::service {
namespace {

Document exported_event(const model::StoredEvent& event) {
  return Document::map()
      .set("sequence", event.sequence)
      .set("time", shown_time(event.time))
      .set("kind", event.kind)
      .set("version", event.version)
      .set("data", document_of_json(event.data))
      .set("epoch", event.epoch)
      .set("hash", event.hash.to_hex());
}

// Writes text as it is, and bytes in base64.
Document exported_payload(const storage::Body& body) {
  Document payload = Document::map().set("hash", body.hash.to_hex());
  return base::is_utf8(body.content) ? payload.set("text", body.content)
                                     : payload.set("base64", base::to_base64(body.content));
}

base::Result<Document> exported_plan(const PlanDatabase& database, const model::PlanId& plan,
                                     Context& context) {
  CLEVER_ASSIGN(const auto events, all_events(database, plan, context));
  CLEVER_ASSIGN(const auto payloads,
                storage::Retention::payloads(database.engine(), plan, context.stop()));
  Document journal = Document::list();
  for (const model::StoredEvent& event : events) journal.push(exported_event(event));
  Document contents = Document::list();
  for (const storage::Body& body : payloads) contents.push(exported_payload(body));
  return Document::map()
      .set("plan_id", plan.to_string())
      .set("events", std::move(journal))
      .set("payloads", std::move(contents));
}

// Returns the diff if the plan's files still exist; otherwise nothing.
base::Result<std::string> exported_diff(const MeantPlan& plan, Context& context) {
  if (!plan.state.base) return std::string();
  if (!check_files_kept(plan.database.engine(), plan.state, context).ok()) return std::string();
  CLEVER_ASSIGN(const auto look, PlanLook::open(plan.database, context));
  CLEVER_ASSIGN(const engine::PlanFiles files, look->files(plan.state));
  CLEVER_ASSIGN(const auto diffs,
                diff::diff_trees(*files.store, files.base, files.tree, {}, context.stop()));
  return diff::unified(diffs);
}

base::Result<Report> export_plan(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  const std::string id = plan.summary.id.to_string();
  const std::string name(invocation.value("output").value_or(id + ".json"));
  CLEVER_ASSIGN(const auto family, storage::Retention::family(plan.database.engine(),
                                                              plan.summary.id, context.stop()));
  Document plans = Document::list();
  for (const model::PlanId& one : family) {
    CLEVER_ASSIGN(Document exported, exported_plan(plan.database, one, context));
    plans.push(std::move(exported));
  }
  CLEVER_ASSIGN(const std::string diff, exported_diff(plan, context));
  const Document all = Document::map()
                           .set("format", "agents/plan-export")
                           .set("version", 1)
                           .set("plan_id", id)
                           .set("plans", std::move(plans))
                           .set("diff", diff);
  const std::string text = to_json(all) + "\n";
  CLEVER_TRY(io::write_file_atomically(context.directory() / name, text, 0600));
  Report report;
  report.data.set("plan_id", id)
      .set("file", name)
      .set("plans", family.size())
      .set("bytes", text.size());
  report.view = {
      Prose{{{{"exported", Tone::kGood}, {" plan " + id + " to "}, {name, Tone::kStrong}}}}};
  return report;
}

}  // namespace

Command plan_export_command() {
  return {.name = "export",
          .summary = "Write a plan's journal, payloads and diff to a file",
          .description =
              "One JSON file with the journal of the plan and its subplans, the payloads that it "
              "names by hash, and the unified diff: everything that would expire after the plan "
              "has ended (storage.keep_days).",
          .positionals = {plan_positional()},
          .options = {{.name = "output",
                       .letter = 'o',
                       .value = "FILE",
                       .summary = "The file to write (default: ID.json)"},
                      plan_database_option()},
          .examples = {{"agents plan export 01JD -o plan.json", "Before its payloads expire"}},
          .handler = export_plan};
}

}  // namespace clever::service
