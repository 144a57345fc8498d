#include "storage/journal.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/check.h"
#include "model/event_hash.h"
#include "storage/internal/event_rows.h"
#include "storage/keys.h"
#include "storage/plans.h"
#include "storage/projections.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

using model::StoredEvent;

constexpr Refusal kStale{base::ErrorCode::kConflict,
                         "the journal is not where the append expects it, or the lease was lost"};
constexpr Refusal kConsumed{base::ErrorCode::kConflict,
                            "a command was already consumed, or is none of this plan"};

// The hash is compared too: an append onto another history of the same length would fork the chain.
constexpr Sql kMoveHead =
    "UPDATE journal SET sequence = $1, hash = $2 "
    "WHERE plan = $3 AND sequence = $4 AND hash = $5 AND epoch = $6";

// Sorted by hash, so that concurrent writers store shared contents in the same order and cannot
// deadlock.
void sort_and_deduplicate(std::vector<Body>& bodies) {
  std::ranges::sort(bodies, {}, &Body::hash);
  const auto repeated = std::ranges::unique(bodies, {}, &Body::hash);
  bodies.erase(repeated.begin(), repeated.end());
}

void put_bodies(UnitOfWork& unit, const Append& append) {
  for (const Body& body : append.bodies) {
    const auto names_it = [&](const model::Event& event) {
      return std::ranges::binary_search(event.bodies, body.hash);
    };
    if (!Bodies::is_small(body)) {
      Bodies::put(unit, body);
    } else if (std::ranges::none_of(append.events, names_it)) {
      Bodies::put_unless_held(unit, body);
    }
  }
}

void use_bodies(UnitOfWork& unit, const StoredEvent& event,
                const std::vector<base::Sha256Digest>& hashes, const std::vector<Body>& brought) {
  for (const base::Sha256Digest& hash : hashes) {
    const auto body = std::ranges::lower_bound(brought, hash, {}, &Body::hash);
    const bool is_brought = body != brought.end() && body->hash == hash;
    Bodies::use(unit, event.plan, event.sequence, hash, is_brought ? &*body : nullptr);
  }
}

void consume(UnitOfWork& unit, const model::PlanId& plan, std::int64_t sequence,
             const Append::Consumed& consumed) {
  unit.require(1, kConsumed,
               "UPDATE inbox SET consumed = $3, receipt = $4, receipt_digest = $5 "
               "WHERE id = $1 AND plan = $2 AND consumed IS NULL",
               consumed.command, to_blob(plan), sequence, Blob{consumed.receipt},
               receipt_digest(consumed.command, plan, sequence, consumed.receipt));
}

void sort_and_deduplicate(std::vector<base::Sha256Digest>& hashes) {
  std::ranges::sort(hashes);
  const auto repeated = std::ranges::unique(hashes);
  hashes.erase(repeated.begin(), repeated.end());
}

std::string what_is_wrong(const JournalState& present, const Head& expected, std::int64_t epoch) {
  if (present.epoch != epoch) {
    return "epoch " + std::to_string(epoch) + " is stale, " + std::to_string(present.epoch) +
           " holds the plan";
  }
  if (present.head.sequence != expected.sequence) {
    return "expected " + std::to_string(expected.sequence) + ", the journal is at " +
           std::to_string(present.head.sequence);
  }
  if (present.head.hash != expected.hash) {
    return "the journal is at " + std::to_string(expected.sequence) +
           ", but its last event is not the expected one";
  }
  return "the journal moved and moved back";
}

}  // namespace

base::Result<void> Journal::check(const Append& append) const {
  if (!append.plan) return base::invalid_argument("an append needs a plan");
  for (const model::Event& event : append.events) {
    if (event.kind.empty()) return base::invalid_argument("an event needs a kind");
    const std::int64_t newest = kinds_.newest(event.kind);
    if (newest != 0 && event.version != newest) {
      return base::invalid_argument("a new " + event.kind + " must have version " +
                                    std::to_string(newest) + ", not " +
                                    std::to_string(event.version));
    }
  }
  return {};
}

std::vector<StoredEvent> Journal::chain(Append& append, Head& head) const {
  const auto now = std::chrono::floor<std::chrono::microseconds>(clock_.wall_now());
  std::vector<StoredEvent> events;
  events.reserve(append.events.size());
  for (model::Event& event : append.events) {
    sort_and_deduplicate(event.bodies);
    StoredEvent& stored = events.emplace_back(StoredEvent{.plan = append.plan,
                                                          .sequence = head.sequence + 1,
                                                          .epoch = append.epoch,
                                                          .time = now,
                                                          .kind = std::move(event.kind),
                                                          .version = event.version,
                                                          .data = std::move(event.data)});
    stored.hash = model::event_hash(head.hash, stored, event.bodies);
    head = {stored.sequence, stored.hash};
  }
  CLEVER_CHECK(head.sequence == append.expected.sequence + std::ssize(events),
               "a chain has no gap");
  return events;
}

base::Result<Journal::Prepared> Journal::prepare(Append append) const {
  CLEVER_TRY(check(append));
  Head head = append.expected;
  std::vector<StoredEvent> events = chain(append, head);
  UnitOfWork unit;
  for (Statement& statement : append.before) unit.add(std::move(statement));
  unit.require(1, kStale, kMoveHead, head.sequence, to_blob(head.hash), to_blob(append.plan),
               append.expected.sequence, to_blob(append.expected.hash), append.epoch);
  sort_and_deduplicate(append.bodies);
  put_bodies(unit, append);
  for (std::size_t i = 0; i < events.size(); ++i) {
    CLEVER_TRY(project(events[i], Projecting::kAppend, unit));
    use_bodies(unit, events[i], append.events[i].bodies, append.bodies);
  }
  internal::insert_events(unit, std::move(events));
  for (Append::Consumed& consumed : append.consumed) {
    consume(unit, append.plan, head.sequence, std::move(consumed));
  }
  for (Statement& statement : append.also) unit.add(std::move(statement));
  unit.notify(plan_name(append.plan));
  unit.notify(std::string(kEventsTopic));
  if (append.expected.sequence == 0) unit.notify(std::string(kPlansTopic));
  for (std::string& topic : append.topics) unit.notify(std::move(topic));
  return Prepared{std::move(unit), head};
}

base::Result<Head> Journal::append(Append append, const base::StopToken& stop,
                                   base::Deadline deadline) {
  const model::PlanId plan = append.plan;
  const Head expected = append.expected;
  const std::int64_t epoch = append.epoch;
  CLEVER_ASSIGN(Prepared prepared, prepare(std::move(append)));
  const Head head = prepared.head;
  auto receipt = engine_.commit(std::move(prepared.unit), stop, deadline);
  if (!receipt.ok()) return explain(std::move(receipt).error(), plan, expected, epoch);
  return head;
}

void Journal::submit(Append append, Done done) {
  auto prepared = prepare(std::move(append));
  if (!prepared.ok()) return done(std::move(prepared).error());
  engine_.submit(std::move(prepared->unit),
                 [head = prepared->head, done = std::move(done)](auto receipt) mutable {
                   if (!receipt.ok()) return done(std::move(receipt).error());
                   done(head);
                 });
}

base::Error Journal::explain(base::Error error, const model::PlanId& plan, const Head& expected,
                             std::int64_t epoch) {
  if (error.code() != base::ErrorCode::kConflict || error.message() != kStale.message) return error;
  const auto present = state(plan);
  if (present.ok()) {
    return base::conflict(what_is_wrong(*present, expected, epoch))
        .add_context("appending to plan " + plan.to_string());
  }
  if (present.error().code() != base::ErrorCode::kNotFound) return error;
  return base::conflict("there is no plan " + plan.to_string() +
                        ": acquire its lease before the first append");
}

base::Result<JournalState> Journal::state(const model::PlanId& plan, const base::StopToken& stop,
                                          base::Deadline deadline) {
  JournalState present;
  const auto look = [&](Snapshot& view) -> base::Result<void> {
    CLEVER_ASSIGN(present, internal::read_state(view, plan));
    return {};
  };
  CLEVER_TRY(engine_.read(look, stop, deadline));
  return present;
}

base::Result<std::vector<StoredEvent>> Journal::read(const model::PlanId& plan, std::int64_t from,
                                                     std::size_t limit, const base::StopToken& stop,
                                                     base::Deadline deadline) {
  std::vector<StoredEvent> events;
  const auto look = [&](Snapshot& view) -> base::Result<void> {
    CLEVER_ASSIGN(events, internal::read_events(view, plan, from, limit));
    return {};
  };
  CLEVER_TRY(engine_.read(look, stop, deadline));
  for (StoredEvent& event : events) CLEVER_TRY(kinds_.to_newest(event));
  return events;
}

base::Result<std::vector<StoredEvent>> Journal::read_all(std::int64_t after, std::size_t limit,
                                                         const base::StopToken& stop,
                                                         base::Deadline deadline) {
  std::vector<StoredEvent> events;
  const auto look = [&](Snapshot& view) -> base::Result<void> {
    CLEVER_ASSIGN(events, internal::read_all_events(view, after, limit));
    return {};
  };
  CLEVER_TRY(engine_.read(look, stop, deadline));
  for (StoredEvent& event : events) CLEVER_TRY(kinds_.to_newest(event));
  return events;
}

base::Result<std::int64_t> Journal::last_position(const base::StopToken& stop,
                                                  base::Deadline deadline) {
  CLEVER_ASSIGN(
      const Rows rows,
      engine_.query(statement("SELECT COALESCE(max(position), 0) FROM event"), stop, deadline));
  return rows[0].integer(0);
}

base::Result<LoadedPlan> Journal::load(const model::PlanId& plan, const base::StopToken& stop,
                                       base::Deadline deadline) {
  constexpr std::size_t kAll = std::numeric_limits<std::int64_t>::max();
  LoadedPlan loaded;
  const auto look = [&](Snapshot& view) -> base::Result<void> {
    CLEVER_ASSIGN(loaded.state, internal::read_state(view, plan));
    CLEVER_ASSIGN(loaded.events, internal::read_events(view, plan, 1, kAll));
    return {};
  };
  CLEVER_TRY(engine_.read(look, stop, deadline));
  for (StoredEvent& event : loaded.events) CLEVER_TRY(kinds_.to_newest(event));
  return loaded;
}

}  // namespace clever::storage
