#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/diagnostics/sections.h"
#include "storage/bodies.h"

namespace clever::service {
namespace {

base::Result<Report> clear_up(const storage::DatabaseUrl& url, const Invocation&,
                              Context& context) {
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kAsItIs));
  const auto progress = context.progress();
  CLEVER_ASSIGN(const auto before, engine->facts());
  CLEVER_ASSIGN(const auto removed,
                storage::Bodies(*engine).remove_unused(progress, context.stop()));
  CLEVER_TRY(engine->vacuum(progress, context.stop()));
  CLEVER_ASSIGN(const auto after, engine->facts());
  Report report;
  report.data.set("address", after.address)
      .set("before_bytes", before.size_in_bytes)
      .set("after_bytes", after.size_in_bytes)
      .set("removed_bodies", removed.bodies)
      .set("removed_bytes", removed.bytes);
  report.view = {Fields{
      "",
      {{"before", {readable_size(before.size_in_bytes)}},
       {"after", {readable_size(after.size_in_bytes), Tone::kGood}},
       {"removed",
        {counted(removed.bodies, "unused content") + ", " + readable_size(removed.bytes)}}}}};
  return report;
}

base::Result<Report> vacuum(const Invocation& invocation, Context& context) {
  return with_database(clear_up, invocation, context);
}

}  // namespace

Command db_vacuum_command() {
  return {.name = "vacuum",
          .summary = "Remove unused payloads and free their space",
          .description =
              "Removes payloads that no event names, then frees unused space. A SQLite file is "
              "rewritten: that needs as much free disk as the file has, and writers wait. A "
              "PostgreSQL server frees the space for new rows, and no writer waits.",
          .options = {database_option()},
          .examples = {{"agents db vacuum", "Make the file as small as it can be"}},
          .handler = vacuum};
}

}  // namespace clever::service
