#include "storage/retention.h"

#include <chrono>

#include "base/crash_point.h"
#include "model/retention_events.h"
#include "storage/journal.h"
#include "storage/keys.h"
#include "storage/leases.h"

namespace clever::storage {
namespace {

constexpr std::chrono::seconds kExpiryLease{30};

// An expired payload is an empty content stored under the hash of a non-empty one.
constexpr Sql kEnded =
    "SELECT p.id, p.updated FROM plan p WHERE p.parent IS NULL "
    "AND p.state IN ('applied', 'cancelled') AND EXISTS (SELECT 1 FROM event_body u "
    "WHERE u.plan = p.id AND (u.content IS NULL OR length(u.content) > 0)) "
    "ORDER BY p.updated, p.id LIMIT $1";

constexpr Sql kFamilyBelow =
    "WITH RECURSIVE family(id, depth) AS (SELECT id, 0 FROM plan WHERE id = $1 "
    "UNION ALL SELECT p.id, f.depth + 1 FROM plan p JOIN family f ON p.parent = f.id) "
    "SELECT id FROM family ORDER BY depth DESC, id";

constexpr Sql kPayloadsOf =
    "SELECT count(*), COALESCE(SUM(COALESCE(length(u.content), "
    "(SELECT length(b.content) FROM body b WHERE b.hash = u.hash), 0)), 0) FROM event_body u "
    "WHERE u.plan = $1 AND (u.content IS NULL OR length(u.content) > 0)";

constexpr Sql kNamedPayloads =
    "SELECT DISTINCT hash FROM event_body WHERE plan = $1 "
    "AND (content IS NULL OR length(content) > 0) ORDER BY hash";

constexpr Sql kExpirePayloads = "UPDATE event_body SET content = $2 WHERE plan = $1";

constexpr Sql kStillEnded =
    "WITH RECURSIVE above(id, parent, state) AS ("
    "SELECT id, parent, state FROM plan WHERE id = $1 "
    "UNION SELECT p.id, p.parent, p.state FROM plan p, above WHERE p.id = above.parent) "
    "UPDATE plan SET sequence = sequence WHERE id = $1 AND EXISTS (SELECT 1 FROM above "
    "WHERE parent IS NULL AND state IN ('applied', 'cancelled'))";
constexpr Refusal kNotEnded{base::ErrorCode::kConflict,
                            "only the payloads of an applied or cancelled plan expire"};

constexpr Sql kExpiredAt =
    "SELECT time FROM event WHERE plan = $1 AND kind = 'payloads.expired' "
    "ORDER BY sequence DESC LIMIT 1";
constexpr Sql kPayloadBytes =
    "SELECT COALESCE((SELECT SUM(length(content)) FROM body), 0) + "
    "COALESCE((SELECT SUM(length(content)) FROM event_body WHERE content IS NOT NULL), 0)";
constexpr Sql kExpiredPayloads =
    "SELECT count(*) FROM event_body WHERE content IS NOT NULL AND length(content) = 0";

base::Result<std::uint64_t> number_of(Engine& engine, Sql sql, const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement(sql), stop));
  return static_cast<std::uint64_t>(rows[0].integer(0));
}

}  // namespace

base::Result<std::vector<EndedPlan>> Retention::ended(std::size_t limit,
                                                      const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kEnded, static_cast<std::int64_t>(limit)), stop));
  std::vector<EndedPlan> plans;
  for (const Row& row : rows) {
    plans.push_back({id_of<model::PlanId>(row.blob(0)), model::to_timestamp(row.integer(1))});
  }
  return plans;
}

base::Result<Expired> Retention::expire(const model::PlanId& plan, const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::vector<model::PlanId> plans, family(engine_, plan, stop));
  Expired all;
  for (const model::PlanId& id : plans) {
    CLEVER_ASSIGN(const Expired one, expire_one(id, stop));
    base::crash_point("retention.expired");
    all.payloads += one.payloads;
    all.bytes += one.bytes;
  }
  return all;
}

base::Result<std::vector<model::PlanId>> Retention::family(Engine& engine,
                                                           const model::PlanId& plan,
                                                           const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement(kFamilyBelow, to_blob(plan)), stop));
  std::vector<model::PlanId> plans;
  for (const Row& row : rows) plans.push_back(id_of<model::PlanId>(row.blob(0)));
  return plans;
}

base::Result<std::vector<Body>> Retention::payloads(Engine& engine, const model::PlanId& plan,
                                                    const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement(kNamedPayloads, to_blob(plan)), stop));
  std::vector<base::Sha256Digest> hashes;
  for (const Row& row : rows) hashes.push_back(digest_of(row.blob(0)));
  return Bodies(engine).contents(hashes, stop);
}

base::Result<Expired> Retention::expire_one(const model::PlanId& plan,
                                            const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows counted, engine_.query(statement(kPayloadsOf, to_blob(plan)), stop));
  const model::PayloadsExpired expired{counted[0].integer(0), counted[0].integer(1)};
  if (expired.payloads == 0) return Expired{};
  Leases leases(engine_);
  CLEVER_ASSIGN(const Lease lease, leases.acquire(plan, owner_, kExpiryLease, stop));
  base::crash_point("retention.leased");
  Journal journal(engine_, clock_);
  const auto appended = [&]() -> base::Result<Head> {
    CLEVER_ASSIGN(const JournalState state, journal.state(plan, stop));
    Append append;
    append.plan = plan;
    append.expected = state.head;
    append.epoch = lease.epoch;
    append.events = {expired.to_event()};
    append.also = {required(1, kNotEnded, kStillEnded, to_blob(plan)),
                   statement(kExpirePayloads, to_blob(plan), Blob{std::string()})};
    return journal.append(std::move(append), stop);
  }();
  base::crash_point("retention.appended");
  const auto released = leases.release(lease, owner_, stop);
  CLEVER_TRY(appended);
  CLEVER_TRY(released);
  return Expired{static_cast<std::uint64_t>(expired.payloads),
                 static_cast<std::uint64_t>(expired.bytes)};
}

base::Result<std::optional<model::Timestamp>> Retention::expired_at(Engine& engine,
                                                                    const model::PlanId& plan,
                                                                    const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement(kExpiredAt, to_blob(plan)), stop));
  if (rows.empty()) return std::optional<model::Timestamp>();
  return std::optional(model::to_timestamp(rows[0].integer(0)));
}

base::Result<std::uint64_t> Retention::payload_bytes(Engine& engine, const base::StopToken& stop) {
  return number_of(engine, kPayloadBytes, stop);
}

base::Result<std::uint64_t> Retention::expired_payloads(Engine& engine,
                                                        const base::StopToken& stop) {
  return number_of(engine, kExpiredPayloads, stop);
}

}  // namespace clever::storage
