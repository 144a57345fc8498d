#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/diagnostics/sections.h"

namespace clever::service {
namespace {

base::Result<Report> copy(const storage::DatabaseUrl& url, const Invocation& invocation,
                          Context& context) {
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kAsItIs));
  const auto target = (context.directory() / invocation.word(0)).lexically_normal();
  CLEVER_TRY(
      engine->backup(target, context.progress(), context.stop()).context("writing the backup"));
  CLEVER_ASSIGN(const auto facts, engine->facts());
  Report report;
  report.data.set("address", facts.address)
      .set("file", target.string())
      .set("size_bytes", facts.size_in_bytes);
  report.view = {Prose{{{{"backed up ", Tone::kGood},
                         {facts.address + " to "},
                         {target.string(), Tone::kAccent},
                         {" (" + readable_size(facts.size_in_bytes) + ", checked)", Tone::kDim}}}}};
  return report;
}

base::Result<Report> backup(const Invocation& invocation, Context& context) {
  return with_database(copy, invocation, context);
}

}  // namespace

Command db_backup_command() {
  return {
      .name = "backup",
      .summary = "Copy the database to a file, while plans work",
      .description =
          "The copy is consistent and checked, and appears under its name only when it is "
          "complete. Never replaces an existing file. To restore it, end all agents and put it in "
          "the database's place.\n\nFor PostgreSQL it prints the pg_dump command to use instead.",
      .positionals = {{.name = "FILE",
                       .summary = "The file to write; must not exist yet",
                       .completes = Completes::kDirectory}},
      .options = {database_option()},
      .examples = {{"agents db backup ~/agents.db", "A copy of everything"},
                   {"agents db verify --database sqlite:$HOME/agents.db", "Check it"}},
      .handler = backup};
}

}  // namespace clever::service
