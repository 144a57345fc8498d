#include "crash/writers.h"

#include <deque>

#include "base/thread.h"
#include "crash/content.h"
#include "model/plan_events.h"
#include "storage/journal.h"
#include "storage/keys.h"
#include "storage/leases.h"

namespace clever::storage::crash {
namespace {

constexpr std::int32_t kPlan = 0;

std::uint64_t digest_of(const Head& head) {
  std::uint64_t digest = 0;
  for (std::size_t i = 0; i < sizeof(digest); ++i) digest = digest << 8U | head.hash.bytes()[i];
  return digest;
}

base::Result<Head> append_once(Journal& journal, std::int64_t tag) {
  CLEVER_ASSIGN(const JournalState seen, journal.state(plan_id(kPlan)));
  Append append{.plan = plan_id(kPlan), .expected = seen.head, .epoch = seen.epoch};
  append.events.push_back({.kind = std::string(kStep), .data = step_data(tag, 0)});
  append.also.push_back(statement("INSERT INTO crash_pair VALUES ($1, $2, $3)", tag,
                                  to_blob(plan_id(kPlan)), seen.head.sequence + 1));
  return journal.append(std::move(append));
}

void append_until_done(Journal& journal, std::int64_t tag, const Tell& tell) {
  while (true) {
    const auto head = append_once(journal, tag);
    if (head.ok()) {
      return tell({.did = Did::kAppend,
                   .plan = kPlan,
                   .tag = tag,
                   .number = head->sequence,
                   .digest = digest_of(*head)});
    }
    if (head.error().code() != base::ErrorCode::kConflict) {
      return tell(Report::fault("appending: " + head.error().to_string()));
    }
  }
}

base::Result<void> create(const Place& place, const Tell& tell) {
  const auto clock = clock_of(place, 0);
  CLEVER_ASSIGN(const auto engine, place.open(*clock));
  CLEVER_ASSIGN(const OwnerLock owner, place.new_owner());
  CLEVER_ASSIGN(const Lease lease, Leases(*engine).acquire(plan_id(kPlan), owner, kLeaseOfPlans));
  tell({.did = Did::kLease, .plan = kPlan, .number = lease.epoch});
  Append append{.plan = plan_id(kPlan), .epoch = lease.epoch};
  append.events.push_back(model::PlanCreated{.title = "shared"}.to_event());
  CLEVER_TRY(Journal(*engine, *clock).append(std::move(append)));
  return {};
}

}  // namespace

void create_shared_plan(const Place& place, const Tell& tell) {
  const auto created = create(place, tell);
  if (!created.ok()) tell(Report::fault("creating the plan: " + created.error().to_string()));
}

void run_writers(const Place& place, const Writers& writers, const Tell& tell) {
  const auto clock = clock_of(place, 0);
  const auto engine = place.open(*clock);
  if (!engine.ok()) return tell(Report::fault(engine.error().to_string()));
  Journal journal(**engine, *clock);
  std::deque<base::Thread> threads;
  for (int thread = 0; thread < writers.threads; ++thread) {
    threads.emplace_back("writer", [&, thread](const base::StopToken&) {
      for (int i = 0; i < writers.appends; ++i) {
        append_until_done(journal, tag_of(0, writers.process, thread, i), tell);
      }
    });
  }
  for (base::Thread& thread : threads) thread.join();
}

}  // namespace clever::storage::crash
