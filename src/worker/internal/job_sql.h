#pragma once
#include "storage/sql.h"

// Every statement about jobs. The states are those of the schema: 0 waiting, 1 running, 2 dead,
// 3 blocked, 4 cancelled while running.
//
// PostgreSQL would call a bare clever_now() for each row and not look at an index for it:
// (SELECT clever_now()) is evaluated once.
namespace clever::worker::internal {

// $1 queue, $2 key, $3 priority, $4 not before, $5 attempts at most, $6 concurrency, $7 lane,
// $8 effect, $9 body, $10 share
//
// A job with a share stands behind the share's last one by a turn, and beside those of other shares
// that wait as long: the key is in the past, so that it keeps nothing from being claimed.
inline constexpr storage::Sql kEnqueue{
    R"sql(
INSERT INTO job (queue, key, priority, ready, state, attempts, max_attempts, expires, concurrency,
                 lane, effect, body, share, enqueued)
VALUES ($1, $2, $3, CASE WHEN $10 IS NULL OR $4 > clever_now() THEN max(clever_now(), $4)
  ELSE min(clever_now(), max(clever_now() - 3600000000, 1000000 + coalesce((SELECT max(ready)
    FROM job WHERE queue = $1 AND share = $10 AND state IN (0, 3)), 0))) END,
  0, 0, $5, 0, $6, $7, $8, $9, $10, clever_now())
ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING RETURNING id)sql",
    R"sql(
INSERT INTO job (queue, key, priority, ready, state, attempts, max_attempts, expires, concurrency,
                 lane, effect, body, share, enqueued)
VALUES ($1, $2, $3, CASE WHEN $10::text IS NULL OR $4::bigint > clever_now()
  THEN greatest(clever_now(), $4::bigint)
  ELSE least(clever_now(), greatest(clever_now() - 3600000000, 1000000 + coalesce((SELECT max(ready)
    FROM job WHERE queue = $1 AND share = $10::text AND state IN (0, 3)), 0))) END,
  0, 0, $5, 0, $6, $7, $8, $9, $10::text, clever_now())
ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING RETURNING id)sql"};

// An error that begins so says what the job waits for.
#define CLEVER_WAITS "waits: "
// The job waits for it no longer.
#define CLEVER_WAITS_NO_LONGER \
  "error = CASE WHEN error LIKE '" CLEVER_WAITS "%' THEN NULL ELSE error END"

inline constexpr storage::Sql kByKey{"SELECT id FROM job WHERE key = $1"};

// $1 queue, $2 how many, $3 owner, $4 the lease's microseconds, $5 for each priority where to
// begin.
//
// Each priority is its own range of job_waiting, so that a claim skips jobs whose time has not come
// and, on PostgreSQL, the dead entries of completed jobs.
//
// SQLite: no other writer runs, so the rows seen are current.
#define CLEVER_WAITING(priority)                                                                  \
  "SELECT * FROM (SELECT id, lane, priority, ready FROM job WHERE state = 0"                      \
  " AND queue = $1 AND priority = " #priority " AND ready BETWEEN json_extract($5, '$[" #priority \
  "]') AND (SELECT clever_now()) ORDER BY ready, id LIMIT $2)"

// PostgreSQL: skips rows that another claim has locked. Inserting its row takes a lane; the
// insertion waits for a transaction that is taking or leaving the same lane, and then sees its
// result. The row of a taken lane stays locked until the jobs that must wait for it are marked, so
// that its holder cannot leave in between. The rows to change are named by their address: they are
// locked, and the query plan cannot depend on statistics.
inline constexpr storage::Sql kClaim{
    "UPDATE job SET state = decided.state, attempts = attempts + (decided.state = 1),"
    " owner = CASE decided.state WHEN 1 THEN $3 END,"
    " expires = CASE decided.state WHEN 1 THEN clever_now() + $4 ELSE 0 END, " CLEVER_WAITS_NO_LONGER
    " FROM ("
    "SELECT id, CASE WHEN lane IS NULL OR (place = 1 AND NOT EXISTS (SELECT 1 FROM job AS other"
    " WHERE other.lane = candidate.lane AND other.state IN (1, 4))) THEN 1 ELSE 3 END AS state FROM ("
    "SELECT id, lane, row_number() OVER (PARTITION BY lane ORDER BY priority, ready, id) AS place"
    " FROM (" CLEVER_WAITING(0) " UNION ALL " CLEVER_WAITING(1) " UNION ALL " CLEVER_WAITING(
        2) " UNION ALL " CLEVER_WAITING(3) " ORDER BY priority, ready, id LIMIT $2)) AS candidate"
    ") AS decided WHERE job.id = decided.id"
    " RETURNING job.id, job.attempts, job.state, lane, priority, ready, max_attempts, effect, body,"
    " enqueued",
    R"sql(
WITH candidate AS MATERIALIZED (
  SELECT waiting.* FROM unnest($5::bigint[]) WITH ORDINALITY AS range (floor, ordinal)
  CROSS JOIN LATERAL (
    SELECT ctid AS address, id, lane, priority, ready FROM job
    WHERE state = 0 AND queue = $1 AND priority = range.ordinal - 1
      AND ready BETWEEN range.floor AND (SELECT clever_now())
    ORDER BY ready, id LIMIT $2::bigint FOR UPDATE SKIP LOCKED) AS waiting
  LIMIT $2::bigint),
taken AS (
  INSERT INTO job_lane (lane, holder)
  SELECT DISTINCT ON (lane) lane, id FROM candidate WHERE lane IS NOT NULL
  ORDER BY lane, priority, ready, id
  ON CONFLICT (lane) DO UPDATE SET holder = job_lane.holder
  RETURNING holder),
decided AS MATERIALIZED (
  SELECT address, lane IS NULL OR id IN (SELECT holder FROM taken) AS admitted FROM candidate),
blocked AS (
  UPDATE job SET state = 3
  WHERE ctid = ANY (ARRAY(SELECT address FROM decided WHERE NOT admitted))
  RETURNING id, attempts, state, lane, priority, ready, max_attempts, effect, body, enqueued),
claimed AS (
  UPDATE job SET state = 1, attempts = attempts + 1, owner = $3::bytea,
    expires = (SELECT clever_now()) + $4::bigint,
    )sql" CLEVER_WAITS_NO_LONGER R"sql(
  WHERE ctid = ANY (ARRAY(SELECT address FROM decided WHERE admitted))
  RETURNING id, attempts, state, lane, priority, ready, max_attempts, effect, body, enqueued)
SELECT * FROM claimed UNION ALL SELECT * FROM blocked)sql"};
#undef CLEVER_WAITING

// $1 the earliest expiry to look at, $2 how many
inline constexpr storage::Sql kExpired{
    "SELECT id, lane, queue, priority, ready FROM job WHERE owner IS NOT NULL"
    " AND expires BETWEEN $1 AND (SELECT clever_now()) ORDER BY expires LIMIT $2",
    "SELECT id, lane, queue, priority, ready FROM job WHERE owner IS NOT NULL"
    " AND expires BETWEEN $1::bigint AND (SELECT clever_now()) ORDER BY expires LIMIT $2::bigint"};

// $1 jobs
inline constexpr storage::Sql kExpire{
    "UPDATE job SET state = CASE WHEN attempts >= max_attempts THEN 2 ELSE 0 END, owner = NULL,"
    " error = 'the lease of attempt ' || attempts || ' expired'"
    " WHERE id IN (SELECT value FROM json_each($1)) AND state = 1 AND expires <= clever_now()",
    "UPDATE job SET state = CASE WHEN attempts >= max_attempts THEN 2 ELSE 0 END, owner = NULL,"
    " error = 'the lease of attempt ' || attempts || ' expired'"
    " WHERE id = ANY ($1::bigint[]) AND state = 1 AND expires <= (SELECT clever_now())"};
inline constexpr storage::Sql kExpireCancelled{
    "DELETE FROM job WHERE id IN (SELECT value FROM json_each($1)) AND state = 4"
    " AND expires <= clever_now()",
    "DELETE FROM job WHERE id = ANY ($1::bigint[]) AND state = 4"
    " AND expires <= (SELECT clever_now())"};

// $1 owner
inline constexpr storage::Sql kOfOwner{
    "SELECT id, lane, queue, priority, ready FROM job WHERE owner IS NOT NULL AND owner = $1"};
inline constexpr storage::Sql kEndOwner{
    "UPDATE job SET state = CASE WHEN attempts >= max_attempts THEN 2 ELSE 0 END, owner = NULL,"
    " error = 'the worker of attempt ' || attempts || ' died'"
    " WHERE owner IS NOT NULL AND owner = $1 AND state = 1"};
inline constexpr storage::Sql kEndOwnerCancelled{
    "DELETE FROM job WHERE owner IS NOT NULL AND owner = $1 AND state = 4"};

// $1 queue, $2 how many
inline constexpr storage::Sql kList{
    "SELECT id, body, priority, CASE state WHEN 0 THEN CASE WHEN ready > (SELECT clever_now()) THEN"
    " 'later' ELSE 'waiting' END WHEN 1 THEN CASE WHEN error LIKE '" CLEVER_WAITS
    "%' THEN"
    " 'paused' ELSE 'running' END WHEN 2 THEN 'dead' WHEN 3 THEN 'blocked'"
    " ELSE 'cancelled' END, attempts, enqueued, COALESCE(error, ''), ready FROM job WHERE queue = "
    "$1"
    " ORDER BY CASE state WHEN 1 THEN 0 WHEN 4 THEN 0 WHEN 2 THEN 2 ELSE 1 END, priority, ready, id"
    " LIMIT $2"};

// $1 jobs, $2 their attempt
inline constexpr storage::Sql kComplete{
    "DELETE FROM job WHERE id IN (SELECT value FROM json_each($1)) AND attempts = $2"
    " AND state IN (1, 4) RETURNING id, state",
    "DELETE FROM job WHERE id = ANY ($1::bigint[]) AND attempts = $2 AND state IN (1, 4)"
    " RETURNING id, state"};
inline constexpr storage::Sql kCompleteOne{
    "DELETE FROM job WHERE id = $1 AND attempts = $2 AND state = 1"};
inline constexpr storage::Sql kDropCancelled{
    "DELETE FROM job WHERE id IN (SELECT value FROM json_each($1)) AND attempts = $2"
    " AND state = 4 RETURNING id, state",
    "DELETE FROM job WHERE id = ANY ($1::bigint[]) AND attempts = $2 AND state = 4"
    " RETURNING id, state"};
// The attempt stays counted, since it names the lease; the job gets one more instead.
inline constexpr storage::Sql kRelease{
    "UPDATE job SET state = 0, owner = NULL, max_attempts = max_attempts + "
    "1, " CLEVER_WAITS_NO_LONGER
    " WHERE id IN (SELECT value FROM json_each($1)) AND attempts = $2 AND state = 1"
    " RETURNING id, state",
    "UPDATE job SET state = 0, owner = NULL, max_attempts = max_attempts + "
    "1, " CLEVER_WAITS_NO_LONGER
    " WHERE id = ANY ($1::bigint[]) AND attempts = $2 AND state = 1 RETURNING id, state"};

// $1 job, $2 attempt, $3 microseconds to wait, $4 error
inline constexpr storage::Sql kFail{
    "UPDATE job SET state = CASE WHEN attempts >= max_attempts THEN 2 ELSE 0 END, owner = NULL,"
    " ready = clever_now() + $3, error = $4 WHERE id = $1 AND attempts = $2 AND state = 1"
    " RETURNING id, state",
    "UPDATE job SET state = CASE WHEN attempts >= max_attempts THEN 2 ELSE 0 END, owner = NULL,"
    " ready = (SELECT clever_now()) + $3::bigint, error = $4"
    " WHERE id = $1 AND attempts = $2 AND state = 1 RETURNING id, state"};

// $1 job, $2 attempt, $3 text
inline constexpr storage::Sql kNote{
    "UPDATE job SET error = $3 WHERE id = $1 AND attempts = $2 AND state = 1"};

// $1 lanes in which a job may have ended. Waits for claims that find such a lane taken, so that the
// next statement sees the jobs that wait for it.
inline constexpr storage::Sql kLeaveLanes{
    "DELETE FROM job_lane WHERE lane IN (SELECT value FROM json_each($1))",
    "DELETE FROM job_lane WHERE lane = ANY ($1::bigint[]) AND NOT EXISTS"
    " (SELECT 1 FROM job WHERE job.id = job_lane.holder AND job.owner IS NOT NULL)"};
// The first waiting job of each of these lanes may be claimed.
inline constexpr storage::Sql kUnblock{
    "UPDATE job SET state = 0 WHERE id IN (SELECT (SELECT id FROM job WHERE lane = freed.value"
    " AND state = 3 ORDER BY priority, ready, id LIMIT 1) FROM json_each($1) AS freed)"
    " RETURNING queue, priority, ready",
    "UPDATE job SET state = 0 WHERE id = ANY (ARRAY(SELECT (SELECT id FROM job"
    " WHERE lane = freed.lane AND state = 3 ORDER BY priority, ready, id LIMIT 1)"
    " FROM unnest($1::bigint[]) AS freed (lane))) AND state = 3 RETURNING queue, priority, ready"};

// $1 jobs, $2 owner, $3 the lease's microseconds
inline constexpr storage::Sql kRenew{
    "UPDATE job SET expires = clever_now() + $3 WHERE id IN (SELECT value FROM json_each($1))"
    " AND owner = $2 RETURNING id, attempts, state",
    "UPDATE job SET expires = (SELECT clever_now()) + $3::bigint WHERE id = ANY ($1::bigint[])"
    " AND owner = $2::bytea RETURNING id, attempts, state"};

// $1 job, $2 attempt
inline constexpr storage::Sql kGuard{
    "SELECT id FROM job WHERE id = $1 AND attempts = $2 AND state = 1",
    "SELECT id FROM job WHERE id = $1 AND attempts = $2 AND state = 1 FOR SHARE"};

// $1 job
inline constexpr storage::Sql kLaneAndQueue{"SELECT lane, queue FROM job WHERE id = $1"};
inline constexpr storage::Sql kCancelWaiting{
    "DELETE FROM job WHERE id = $1 AND state IN (0, 2, 3)"};
inline constexpr storage::Sql kCancelRunning{
    "UPDATE job SET state = 4 WHERE id = $1 AND state IN (1, 4)"};

// $1 queue, $2 after this job, $3 how many
inline constexpr storage::Sql kDead{
    "SELECT id, queue, body, attempts, error, enqueued FROM job WHERE state = 2 AND queue = $1"
    " AND id > $2 ORDER BY id LIMIT $3"};
// $1 jobs. Grants as many attempts as they had; their numbers continue.
inline constexpr storage::Sql kRetryDead{
    "UPDATE job SET state = 0, ready = clever_now(), max_attempts = attempts + max_attempts"
    " WHERE id IN (SELECT value FROM json_each($1)) AND state = 2",
    "UPDATE job SET state = 0, ready = (SELECT clever_now()), max_attempts = attempts + "
    "max_attempts"
    " WHERE id = ANY ($1::bigint[]) AND state = 2"};
inline constexpr storage::Sql kDeleteDead{
    "DELETE FROM job WHERE id IN (SELECT value FROM json_each($1)) AND state = 2",
    "DELETE FROM job WHERE id = ANY ($1::bigint[]) AND state = 2"};

// $1 queue
#define CLEVER_NEXT(priority)                                         \
  "SELECT min(ready) AS time FROM job WHERE state = 0 AND queue = $1" \
  " AND priority = " #priority " AND ready > (SELECT clever_now())"
inline constexpr storage::Sql kNextReady{
    "SELECT min(time) - clever_now() FROM (" CLEVER_NEXT(0) " UNION ALL " CLEVER_NEXT(
        1) " UNION ALL " CLEVER_NEXT(2) " UNION ALL " CLEVER_NEXT(3) " UNION ALL "
    "SELECT min(expires) FROM job WHERE owner IS NOT NULL AND expires > (SELECT clever_now()))"
    " AS due"};
#undef CLEVER_NEXT

inline constexpr storage::Sql kCounts{R"sql(
SELECT
  (SELECT count(*) FROM job WHERE state = 0 AND queue = $1 AND ready <= (SELECT clever_now())),
  (SELECT count(*) FROM job WHERE state = 0 AND queue = $1 AND ready > (SELECT clever_now())),
  (SELECT count(*) FROM job WHERE lane IS NOT NULL AND state = 3 AND queue = $1),
  (SELECT count(*) FROM job WHERE owner IS NOT NULL AND queue = $1),
  (SELECT count(*) FROM job WHERE owner IS NOT NULL AND queue = $1 AND error LIKE 'waits: %'),
  (SELECT count(*) FROM job WHERE state = 2 AND queue = $1))sql"};

#undef CLEVER_WAITS_NO_LONGER
#undef CLEVER_WAITS

}  // namespace clever::worker::internal
