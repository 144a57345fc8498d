#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/diagnostics/sections.h"
#include "storage/migration.h"
#include "storage/retention.h"
#include "storage/tombstones.h"

namespace clever::service {
namespace {

using storage::Inspection;

std::size_t newest_schema() { return storage::schema().size(); }

bool is_in_memory(const Inspection& found) {
  return found.facts.address.starts_with("sqlite::memory:");
}

Span shown_schema(const Inspection& found) {
  const auto version = static_cast<std::size_t>(found.facts.schema_version);
  const std::string number = std::to_string(version);
  const std::string newest = std::to_string(newest_schema());
  if (version == 0) return {"none yet; `agents db migrate` makes it", Tone::kWarn};
  if (version == newest_schema()) return {number + ", the newest this program knows", Tone::kGood};
  if (version > newest_schema()) {
    return {number + ", newer than this program, which knows up to " + newest, Tone::kBad};
  }
  return {number + ", to be upgraded to " + newest + " (`agents db migrate`)", Tone::kWarn};
}

Document database_data(const Inspection& found, const std::string& synchronous) {
  Document data = Document::map();
  data.set("address", found.facts.address)
      .set("exists", found.exists)
      .set("engine", found.facts.version)
      .set("schema_version", found.facts.schema_version)
      .set("newest_schema_version", newest_schema())
      .set("size_bytes", found.facts.size_in_bytes)
      .set("synchronous", synchronous);
  if (!found.journal_mode.empty()) data.set("journal_mode", found.journal_mode);
  if (found.other_connections) data.set("other_connections", *found.other_connections);
  if (const auto& counts = found.counts) {
    data.set("plans", counts->plans)
        .set("events", counts->events)
        .set("jobs", counts->jobs)
        .set("leases", counts->leases);
  }
  return data;
}

Fields database_fields(const Inspection& found, const std::string& synchronous) {
  Fields shown;
  const auto add = [&](const char* name, Span value) {
    shown.fields.push_back({name, std::move(value)});
  };
  add("database", {found.facts.address, Tone::kAccent});
  add("engine", {found.facts.version});
  if (is_in_memory(found)) {
    add("schema", {"none: it begins and ends with each program"});
    return shown;
  }
  add("schema", shown_schema(found));
  if (!found.exists) return shown;
  add("size", {readable_size(found.facts.size_in_bytes)});
  if (const auto& counts = found.counts) {
    add("plans", {grouped(counts->plans)});
    add("events", {grouped(counts->events)});
    add("jobs", {grouped(counts->jobs)});
    add("leases held", {grouped(counts->leases)});
  }
  if (!found.journal_mode.empty()) add("journal mode", {found.journal_mode});
  add("synchronous", {synchronous});
  if (found.other_connections) add("other connections", {grouped(*found.other_connections)});
  return shown;
}

base::Result<void> add_retention(const storage::DatabaseUrl& url, Context& context, Document& data,
                                 Fields& shown) {
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kAsItIs));
  CLEVER_ASSIGN(const std::uint64_t bytes,
                storage::Retention::payload_bytes(*engine, context.stop()));
  CLEVER_ASSIGN(const std::uint64_t expired,
                storage::Retention::expired_payloads(*engine, context.stop()));
  CLEVER_ASSIGN(const std::uint64_t deleted, storage::Tombstones::count(*engine, context.stop()));
  const std::string days = context.settings()->text("storage.keep_days");
  const std::string mebibytes = context.settings()->text("storage.keep_mb");
  data.set("payload_bytes", bytes)
      .set("expired_payloads", expired)
      .set("keep_days", days)
      .set("keep_mb", mebibytes)
      .set("journal_days", context.settings()->text("storage.journal_days"))
      .set("deleted_plans", deleted);
  shown.fields.push_back(
      {"payloads", {readable_size(bytes) + ", " + grouped(expired) + " expired"}});
  shown.fields.push_back({"kept", {days + " days, " + mebibytes + " MiB with the files of plans"}});
  if (deleted > 0)
    shown.fields.push_back({"deleted", {counted(deleted, "plan") + ", with a tombstone"}});
  return {};
}

base::Result<Report> look(const storage::DatabaseUrl& url, const Invocation&, Context& context) {
  CLEVER_ASSIGN(const auto found, context.databases().inspect(url, context.stop()));
  const std::string synchronous = context.settings()->text("database.synchronous");
  Report report;
  report.data = database_data(found, synchronous);
  Fields fields = database_fields(found, synchronous);
  if (found.counts && static_cast<std::size_t>(found.facts.schema_version) == newest_schema()) {
    CLEVER_TRY(add_retention(url, context, report.data, fields));
  }
  report.view = {std::move(fields)};
  if (const auto pending = storage::pending_steps(found); !pending.ok()) {
    report.warn(pending.error().sentence());
  }
  return report;
}

base::Result<Report> show_status(const Invocation& invocation, Context& context) {
  return with_database(look, invocation, context);
}

}  // namespace

Command db_status_command() {
  return {.name = "status",
          .summary = "Show where the database is, its version, size and content",
          .description =
              "Never creates or upgrades the database. If there is none yet, it says so and exits "
              "with 0.",
          .options = {database_option()},
          .examples = {{"agents db status", "The database of this home"},
                       {"agents db status --database sqlite:backup.db", "Another one"},
                       {"agents db status --format json", "For a program"}},
          .handler = show_status};
}

}  // namespace clever::service
