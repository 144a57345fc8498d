#include "storage/journal_verify.h"

#include <limits>
#include <map>
#include <optional>

#include "model/event_hash.h"
#include "model/retention_events.h"
#include "storage/internal/event_rows.h"
#include "storage/keys.h"

namespace clever::storage {
namespace {

using base::Sha256Digest;
using model::PlanId;
using model::StoredEvent;

constexpr std::size_t kPlansAtOnce = 500;
// A content may have many megabytes.
constexpr std::size_t kBodiesAtOnce = 8;
constexpr std::size_t kMostFaults = 100;
// A content edited by hand may have any id.
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();

constexpr Sql kUses =
    "SELECT u.sequence, u.hash, b.id, u.content FROM event_body u "
    "LEFT JOIN body b ON b.hash = u.hash AND u.content IS NULL "
    "WHERE u.plan = $1 AND u.sequence >= $2 AND u.sequence <= $3 ORDER BY u.sequence, u.hash";

constexpr Sql kBodiesOfPlan =
    "SELECT id, hash, content FROM body WHERE id > $1 "
    "AND hash IN (SELECT hash FROM event_body WHERE plan = $3 AND content IS NULL) ORDER BY id "
    "LIMIT $2";

constexpr Sql kBodies = "SELECT id, hash, content FROM body WHERE id > $1 ORDER BY id LIMIT $2";

void add_fault(JournalVerdict& verdict, const PlanId& plan, std::int64_t sequence,
               std::string what) {
  if (verdict.faults.size() < kMostFaults) {
    verdict.faults.push_back({plan, sequence, std::move(what)});
  }
}

base::Result<void> check_stop(const base::StopToken& stop) {
  if (stop.stop_requested()) return base::cancelled("stopped while verifying");
  return {};
}

// Walks along one plan's chain.
class ChainCheck {
 public:
  ChainCheck(Snapshot& view, const PlanId& plan, JournalVerdict& verdict)
      : view_(view), plan_(plan), verdict_(verdict) {}

  base::Result<void> run(const base::StopToken& stop) {
    CLEVER_ASSIGN(const JournalState state, internal::read_state(view_, plan_));
    while (true) {
      CLEVER_TRY(check_stop(stop));
      CLEVER_ASSIGN(const auto events,
                    internal::read_events(view_, plan_, after_ + 1, internal::kEventsAtOnce));
      if (events.empty()) break;
      CLEVER_TRY(check_events(events));
    }
    check_head(state);
    if (expired_ > 0 && !says_expired_) {
      fault(0, "payloads are missing, and no event says that they expired");
    }
    verdict_.expired += expired_;
    return {};
  }

 private:
  using Uses = std::map<std::int64_t, std::vector<Sha256Digest>>;

  base::Result<Uses> uses(std::int64_t from, std::int64_t to) {
    CLEVER_ASSIGN(const Rows rows, view_.query(kUses, to_blob(plan_), from, to));
    Uses uses;
    for (const Row& row : rows) {
      const Sha256Digest hash = digest_of(row.blob(1));
      uses[row.integer(0)].push_back(hash);
      if (!row.is_null(3)) {
        if (row.blob(3).empty() && hash != base::sha256("")) {
          ++expired_;
          continue;
        }
        ++verdict_.bodies;
        if (base::sha256(row.blob(3)) == hash) continue;
        fault(row.integer(0), "its content " + hash.to_hex() + " does not match its hash");
      } else if (row.is_null(2)) {
        fault(row.integer(0), "its content " + hash.to_hex() + " is missing");
      }
    }
    return uses;
  }

  base::Result<void> check_events(const std::vector<StoredEvent>& events) {
    CLEVER_ASSIGN(Uses bodies, uses(events.front().sequence, events.back().sequence));
    for (const StoredEvent& event : events) check_event(event, bodies[event.sequence]);
    return {};
  }

  void check_event(const StoredEvent& event, const std::vector<Sha256Digest>& bodies) {
    if (event.sequence != after_ + 1) {
      fault(event.sequence, "the events from " + std::to_string(after_ + 1) + " to " +
                                std::to_string(event.sequence - 1) + " are missing");
    } else if (model::event_hash(hash_, event, bodies) != event.hash) {
      fault(event.sequence, "its hash is not that of its content and of the event before");
    }
    if (event.epoch < epoch_)
      fault(event.sequence, "its epoch is smaller than that of the event before");
    epoch_ = event.epoch;
    after_ = event.sequence;
    hash_ = event.hash;
    says_expired_ = says_expired_ || event.kind == model::PayloadsExpired::kKind;
    ++verdict_.events;
  }

  void check_head(const JournalState& state) {
    if (state.head.sequence != after_) {
      fault(0, "the journal ends at " + std::to_string(state.head.sequence) +
                   ", its last event is " + std::to_string(after_));
    } else if (state.head.hash != hash_) {
      fault(0, "the head's hash is not that of the last event");
    }
    if (state.epoch < epoch_)
      fault(0, "the journal's epoch is smaller than that of its last event");
  }

  void fault(std::int64_t sequence, std::string what) {
    add_fault(verdict_, plan_, sequence, std::move(what));
  }

  Snapshot& view_;
  const PlanId plan_;
  JournalVerdict& verdict_;
  std::int64_t after_ = 0;
  std::int64_t epoch_ = 0;
  Sha256Digest hash_;
  std::uint64_t expired_ = 0;
  bool says_expired_ = false;
};

// Hashes the contents of a page. Returns the last row's id, or none for an empty page.
std::optional<std::int64_t> check_contents(const Rows& rows, JournalVerdict& verdict) {
  std::optional<std::int64_t> last;
  for (const Row& row : rows) {
    last = row.integer(0);
    ++verdict.bodies;
    if (base::sha256(row.blob(2)) == digest_of(row.blob(1))) continue;
    add_fault(verdict, {}, 0,
              "the content stored under the hash " + digest_of(row.blob(1)).to_hex() +
                  " does not match it");
  }
  return last;
}

base::Result<std::vector<PlanId>> plans_after(Engine& engine, const PlanId& after,
                                              const base::StopToken& stop) {
  const Statement look =
      statement("SELECT plan FROM journal WHERE plan > $1 ORDER BY plan LIMIT $2", to_blob(after),
                kPlansAtOnce);
  CLEVER_ASSIGN(const Rows rows, engine.query(look, stop));
  std::vector<PlanId> plans;
  for (const Row& row : rows) plans.push_back(id_of<PlanId>(row.blob(0)));
  return plans;
}

base::Result<std::uint64_t> count(Engine& engine, Sql sql, const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement(sql), stop));
  return static_cast<std::uint64_t>(rows[0].integer(0));
}

}  // namespace

std::string JournalFault::to_string() const {
  std::string text = plan ? "plan " + plan.to_string() : std::string("contents");
  if (sequence != 0) text += ", event " + std::to_string(sequence);
  return text + ": " + what;
}

base::Result<void> JournalVerify::verify_plan(const PlanId& plan, const base::StopToken& stop,
                                              JournalVerdict& verdict) {
  ++verdict.plans;
  return engine_.read([&](Snapshot& view) { return ChainCheck(view, plan, verdict).run(stop); },
                      stop);
}

base::Result<JournalVerdict> JournalVerify::verify(const PlanId& plan,
                                                   const base::StopToken& stop) {
  JournalVerdict verdict;
  CLEVER_TRY(verify_plan(plan, stop, verdict));
  std::optional<std::int64_t> last = kBeforeAll;
  do {
    CLEVER_TRY(check_stop(stop));
    CLEVER_ASSIGN(
        const Rows rows,
        engine_.query(statement(kBodiesOfPlan, *last, kBodiesAtOnce, to_blob(plan)), stop));
    last = check_contents(rows, verdict);
  } while (last);
  return verdict;
}

base::Result<void> JournalVerify::verify_bodies(const Progress& progress,
                                                const base::StopToken& stop,
                                                JournalVerdict& verdict) {
  CLEVER_ASSIGN(const std::uint64_t all, count(engine_, "SELECT count(*) FROM body", stop));
  const std::uint64_t before = verdict.bodies;
  std::optional<std::int64_t> last = kBeforeAll;
  do {
    CLEVER_TRY(check_stop(stop));
    progress("verifying contents", verdict.bodies - before, all);
    CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kBodies, *last, kBodiesAtOnce), stop));
    last = check_contents(rows, verdict);
  } while (last);
  return {};
}

base::Result<void> JournalVerify::find_orphans(const base::StopToken& stop,
                                               JournalVerdict& verdict) {
  const Statement look = statement(
      "SELECT DISTINCT plan FROM event e "
      "WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.plan = e.plan) LIMIT $1",
      kMostFaults);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop));
  for (const Row& row : rows) {
    add_fault(verdict, id_of<PlanId>(row.blob(0)), 0, "there are events, and no journal");
  }
  return {};
}

base::Result<JournalVerdict> JournalVerify::verify_all(const Progress& progress,
                                                       const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::uint64_t all, count(engine_, "SELECT count(*) FROM journal", stop));
  JournalVerdict verdict;
  PlanId after;
  while (true) {
    CLEVER_ASSIGN(const std::vector<PlanId> plans, plans_after(engine_, after, stop));
    if (plans.empty()) break;
    for (const PlanId& plan : plans) {
      progress("verifying plans", verdict.plans, all);
      CLEVER_TRY(verify_plan(plan, stop, verdict));
    }
    after = plans.back();
  }
  CLEVER_TRY(find_orphans(stop, verdict));
  CLEVER_TRY(verify_bodies(progress, stop, verdict));
  return verdict;
}

}  // namespace clever::storage
