#include "model/document_json.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/plan/event_document.h"
#include "storage/journal.h"

namespace clever::service {

Document event_document(const model::StoredEvent& event) {
  return Document::map()
      .set("plan_id", event.plan.to_string())
      .set("sequence", event.sequence)
      .set("time", shown_time(event.time))
      .set("kind", event.kind)
      .set("version", event.version)
      .set("data", document_of_json(event.data))
      .set("epoch", event.epoch)
      .set("hash", event.hash.to_hex());
}

std::string event_line(const model::StoredEvent& event) {
  return to_json(Document::map()
                     .set("plan_id", event.plan.to_string())
                     .set("sequence", event.sequence)
                     .set("time", shown_time(event.time))
                     .set("kind", event.kind)
                     .set("data", document_of_json(event.data))) +
         "\n";
}

namespace {

constexpr std::int64_t kMostEvents = 1'000'000;
constexpr std::size_t kDataWidth = 100;

base::Result<Report> events(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::int64_t from, number_option(invocation, "from", 1, 1, INT64_MAX));
  CLEVER_ASSIGN(const std::int64_t limit, number_option(invocation, "limit", 1000, 1, kMostEvents));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const storage::PlanSummary plan,
                database.find(words.empty() ? std::string() : words.front()));
  storage::Journal journal(database.engine(), context.clock());
  CLEVER_ASSIGN(const auto found,
                journal.read(plan.id, from, static_cast<std::size_t>(limit), context.stop()));
  CLEVER_ASSIGN(const storage::JournalState journal_state, journal.state(plan.id, context.stop()));
  const std::int64_t last = journal_state.head.sequence;
  Report report;
  Document all = Document::list();
  Table table{"", {"event", "time", "kind", "data"}, {}};
  for (const model::StoredEvent& event : found) {
    all.push(event_document(event));
    table.rows.push_back({{std::to_string(event.sequence), Tone::kStrong},
                          {shown_time(event.time), Tone::kDim},
                          {event.kind},
                          {one_line(event.data, kDataWidth)}});
  }
  report.data.set("plan_id", plan.id.to_string()).set("events", std::move(all)).set("last", last);
  if (found.empty()) {
    report.view = {Prose{{{{"No such event: the last one is " + std::to_string(last) + "."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

}  // namespace

Command plan_events_command() {
  return {.name = "events",
          .summary = "Show the journal of a plan, event by event",
          .description =
              "All events, in order. The JSON has each event's data as stored, and its hash in the "
              "chain.",
          .positionals = {plan_positional()},
          .options = {{.name = "from", .value = "SEQUENCE", .summary = "Start at this event"},
                      {.name = "limit", .value = "N", .summary = "Show at most N (default: 1000)"},
                      plan_database_option()},
          .examples = {{"agents plan events", "The journal of the newest plan"},
                       {"agents plan events 01JD --from 40 --format json", "From event 40 on"}},
          .handler = events};
}

}  // namespace clever::service
