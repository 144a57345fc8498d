#include "crash/found.h"

#include "crash/content.h"
#include "model/budget_events.h"

namespace clever::storage::crash {
namespace {

std::map<std::int64_t, std::string> contents(const Rows& rows) {
  std::map<std::int64_t, std::string> contents;
  for (const Row row : rows) contents[row.integer(0)] = row.blob(1);
  return contents;
}

std::map<std::int64_t, std::int64_t> numbers(const Rows& rows) {
  std::map<std::int64_t, std::int64_t> numbers;
  for (const Row row : rows) numbers[row.integer(0)] = row.integer(1);
  return numbers;
}

base::Result<void> read_journal(Snapshot& view, Found& found) {
  CLEVER_ASSIGN(const Rows events, view.query("SELECT plan, sequence, kind, data, hash FROM event "
                                              "ORDER BY plan, sequence"));
  for (const Row row : events) {
    found.event_by_place[{row.blob(0), row.integer(1)}] = found.events.size();
    found.events.push_back({row.blob(0), row.integer(1), row.text(2), row.blob(3), row.blob(4)});
  }
  CLEVER_ASSIGN(const Rows pairs, view.query("SELECT tag, plan, sequence FROM crash_pair"));
  for (const Row row : pairs) found.pairs[row.integer(0)] = {row.blob(1), row.integer(2)};
  CLEVER_ASSIGN(const Rows commands,
                view.query("SELECT id, plan, key, body, coalesce(consumed, 0) FROM inbox"));
  for (const Row row : commands) {
    found.commands[row.integer(0)] = {row.blob(1), row.text(2), row.blob(3), row.integer(4)};
  }
  CLEVER_ASSIGN(const Rows effects,
                view.query("SELECT id, requested, coalesce(settled, 0) FROM effect"));
  for (const Row row : effects) found.effects[row.blob(0)] = {row.integer(1), row.integer(2)};
  CLEVER_ASSIGN(const Rows decisions, view.query("SELECT count(*) FROM decision"));
  found.decisions = decisions[0].integer(0);
  return {};
}

base::Result<void> read_budget(Snapshot& view, Found& found) {
  CLEVER_ASSIGN(const Rows shares,
                view.query("SELECT CAST(COALESCE(SUM(reserved + tokens_reserved), 0) AS BIGINT) "
                           "FROM budget_entry"));
  found.shares = shares[0].integer(0);
  CLEVER_ASSIGN(const Rows counted,
                view.query("SELECT reserved + tokens_reserved FROM budget WHERE cap < $1",
                           model::kLargestAmount));
  if (!counted.empty()) found.counted = counted[0].integer(0);
  return {};
}

base::Result<void> read_units(Snapshot& view, Found& found) {
  CLEVER_ASSIGN(const Rows left, view.query("SELECT tag, content FROM crash_left"));
  found.left = contents(left);
  CLEVER_ASSIGN(const Rows right, view.query("SELECT tag, content FROM crash_right"));
  found.right = contents(right);
  CLEVER_ASSIGN(const Rows counters, view.query("SELECT id, value FROM crash_counter"));
  found.counters = numbers(counters);
  CLEVER_ASSIGN(const Rows raises, view.query("SELECT counter, value, tag FROM crash_raise"));
  for (const Row row : raises) found.raises[{row.integer(0), row.integer(1)}] = row.integer(2);
  CLEVER_ASSIGN(const Rows leases, view.query("SELECT name, epoch FROM lease"));
  for (const Row row : leases) found.epochs[row.text(0)] = row.integer(1);
  return {};
}

base::Result<void> read_jobs(Snapshot& view, Found& found) {
  CLEVER_ASSIGN(
      const Rows jobs,
      view.query("SELECT body, state, attempts FROM job WHERE queue = $1", std::string(kQueue)));
  for (const Row row : jobs) {
    found.jobs.push_back({tag_in(row.blob(0)), row.integer(1), row.integer(2)});
  }
  CLEVER_ASSIGN(const Rows done, view.query("SELECT tag, attempt FROM crash_done"));
  found.done = numbers(done);
  CLEVER_ASSIGN(const Rows of_effects,
                view.query("SELECT count(*) FROM job WHERE queue = $1", std::string(kEffectQueue)));
  found.effect_jobs = of_effects[0].integer(0);
  return {};
}

}  // namespace

base::Result<Found> Found::read(Engine& engine) {
  Found found;
  const auto read_all = [&](Snapshot& view) -> base::Result<void> {
    CLEVER_TRY(read_journal(view, found));
    CLEVER_TRY(read_units(view, found));
    CLEVER_TRY(read_budget(view, found));
    return read_jobs(view, found);
  };
  CLEVER_TRY(engine.read(read_all));
  return found;
}

const Found::Event* Found::event_at(const std::string& plan, std::int64_t sequence) const {
  const auto place = event_by_place.find({plan, sequence});
  return place == event_by_place.end() ? nullptr : &events[place->second];
}

}  // namespace clever::storage::crash
