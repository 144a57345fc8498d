#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "storage/rebuild.h"

namespace clever::service {
namespace {

base::Result<Report> make_anew(const storage::DatabaseUrl& url, const Invocation&,
                               Context& context) {
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kNewest));
  CLEVER_ASSIGN(const auto done, storage::Rebuild(*engine).run(context.progress(), context.stop()));
  Report report;
  report.data.set("address", url.normalised()).set("plans", done.plans).set("events", done.events);
  report.view = {
      Prose{{{{"rebuilt ", Tone::kGood},
              {counted(done.plans, "plan") + " from " + counted(done.events, "event")}}}}};
  return report;
}

base::Result<Report> rebuild(const Invocation& invocation, Context& context) {
  return with_database(make_anew, invocation, context);
}

}  // namespace

Command db_rebuild_command() {
  return {.name = "rebuild",
          .summary = "Rebuild the tables of plans, decisions and budgets from the journal",
          .description =
              "Lists of plans, decision trees, open effects and budgets come from tables that are "
              "derived from the journal. This command rebuilds those tables, plan by plan, while "
              "other processes work. It does not touch the journal.",
          .options = {database_option()},
          .examples = {{"agents db rebuild", "After a list showed something wrong"}},
          .handler = rebuild};
}

}  // namespace clever::service
