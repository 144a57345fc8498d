#include <array>

#include "storage/migration.h"

// The schema, step by step. Times are microseconds since 1970 by the database's clock; ids of
// plans, decisions, effects and owners are the 16 bytes of their ULIDs, which sort by time; rows
// that many plans append to at once are kept in the order of their arrival, so that a group touches
// few pages.
namespace clever::storage {
namespace {

constexpr std::string_view kJournal = R"sql(
CREATE TABLE journal (           -- one row per plan: the head of its chain, and who may append
  plan BYTES NOT NULL PRIMARY KEY,
  sequence INT64 NOT NULL,       -- of the last event; 0 if there is none yet
  hash BYTES NOT NULL,           -- of the last event; zeros if there is none yet
  epoch INT64 NOT NULL           -- the one whose holder may append
) CLUSTERED_OPTIONS;

CREATE TABLE event (
  position ROW_NUMBER,           -- the order of arrival over all plans
  plan BYTES NOT NULL,
  sequence INT64 NOT NULL,       -- 1, 2, 3, … within the plan
  kind STRING NOT NULL,
  version INT64 NOT NULL,        -- of the kind's data
  epoch INT64 NOT NULL,
  time INT64 NOT NULL,
  data BYTES NOT NULL,
  hash BYTES NOT NULL            -- over the previous hash, all above but the position, its bodies
) TABLE_OPTIONS;
CREATE UNIQUE INDEX event_of_plan ON event(plan, sequence);

CREATE TABLE body (              -- large payloads, once each
  id ROW_NUMBER,
  hash BYTES NOT NULL UNIQUE,    -- SHA-256 of the content
  content BYTES NOT NULL
) TABLE_OPTIONS;
CREATE TABLE body_use (          -- which events need which bodies
  plan BYTES NOT NULL,
  sequence INT64 NOT NULL,
  hash BYTES NOT NULL REFERENCES body(hash),
  PRIMARY KEY (plan, sequence, hash)
) CLUSTERED_OPTIONS;
CREATE INDEX body_use_by_hash ON body_use(hash);

CREATE TABLE snapshot (          -- the fold of a plan's events up to a sequence, the newest only
  plan BYTES NOT NULL PRIMARY KEY REFERENCES journal(plan) ON DELETE CASCADE,
  sequence INT64 NOT NULL,
  event_hash BYTES NOT NULL,     -- of the event with that sequence
  fold INT64 NOT NULL,           -- version of the fold that made it
  state BYTES NOT NULL
) TABLE_OPTIONS;

CREATE TABLE effect (            -- requested in a transaction of the journal, settled in a later one
  id BYTES NOT NULL PRIMARY KEY,
  plan BYTES NOT NULL REFERENCES journal(plan) ON DELETE CASCADE,
  kind STRING NOT NULL,
  data BYTES NOT NULL,
  requested INT64 NOT NULL,      -- sequence of the event that requested it
  settled INT64                  -- sequence of the event that settled it
) CLUSTERED_OPTIONS;
CREATE INDEX effect_open ON effect(plan, requested) WHERE settled IS NULL;

CREATE TABLE inbox (             -- commands to a plan
  id SERIAL,
  plan BYTES NOT NULL,
  key STRING NOT NULL,           -- idempotency: the same key is the same command
  fingerprint BYTES NOT NULL,
  body BYTES NOT NULL,
  received INT64 NOT NULL,
  consumed INT64,                -- sequence of the event that answered it
  receipt BYTES,
  UNIQUE (plan, key)
) TABLE_OPTIONS;
CREATE INDEX inbox_open ON inbox(plan, id) WHERE consumed IS NULL;

CREATE TABLE lease (             -- never deleted; epochs only grow
  name STRING NOT NULL PRIMARY KEY,
  epoch INT64 NOT NULL,
  owner BYTES,                   -- none: free
  host STRING NOT NULL,          -- where the owner runs, and since which boot of that host
  boot STRING NOT NULL,
  expires INT64 NOT NULL
) CLUSTERED_OPTIONS;
CREATE INDEX lease_of_owner ON lease(owner);
)sql";

constexpr std::string_view kJobs = R"sql(
CREATE TABLE job (
  id SERIAL,
  queue STRING NOT NULL,
  key STRING,                    -- idempotency: one job per key while it is there
  priority INT64 NOT NULL,       -- 0 (first) to 3 (last)
  ready INT64 NOT NULL,          -- not before this time; within a priority, the order of claims
  state INT64 NOT NULL,          -- 0 waiting, 1 running, 2 dead, 3 blocked by its lane, 4 cancelled
                                 -- while running
  attempts INT64 NOT NULL,       -- begun so far: the epoch of its lease, never goes back
  max_attempts INT64 NOT NULL,
  owner BYTES,                   -- who holds its lease; none unless running or cancelled
  expires INT64 NOT NULL,        -- when that lease ends
  concurrency STRING,            -- of the jobs with one such key one runs at a time
  lane INT64,                    -- the first 8 bytes of the SHA-256 of that key
  effect BYTES,                  -- the effect it runs, if it belongs to a plan
  body BYTES NOT NULL,
  error STRING,                  -- of the last attempt
  enqueued INT64 NOT NULL
) TABLE_OPTIONS;
CREATE UNIQUE INDEX job_by_key ON job(key) WHERE key IS NOT NULL;
CREATE INDEX job_waiting ON job(queue, priority, ready, id) WHERE state = 0;
CREATE INDEX job_running ON job(expires) WHERE owner IS NOT NULL;
CREATE INDEX job_dead ON job(queue, id) WHERE state = 2;
CREATE INDEX job_in_lane ON job(lane, state, priority, ready, id) WHERE lane IS NOT NULL;

CREATE TABLE job_lane (          -- PostgreSQL only: the lanes in which a job runs, to be locked
  lane INT64 NOT NULL PRIMARY KEY,
  holder INT64 NOT NULL          -- the job
) TABLE_OPTIONS;
)sql";

constexpr std::string_view kProjections = R"sql(
CREATE TABLE plan (
  id BYTES NOT NULL PRIMARY KEY,
  parent BYTES,
  title STRING NOT NULL,
  action STRING NOT NULL,
  project STRING NOT NULL,
  phase STRING NOT NULL,
  state STRING NOT NULL,
  decisions INT64 NOT NULL,
  spent INT64 NOT NULL,          -- millionths of a dollar
  created INT64 NOT NULL,
  updated INT64 NOT NULL,
  sequence INT64 NOT NULL        -- of the last event that is in this row
) CLUSTERED_OPTIONS;
CREATE INDEX plan_by_parent ON plan(parent) WHERE parent IS NOT NULL;
CREATE INDEX plan_by_project ON plan(project, id);

CREATE TABLE decision (
  id BYTES NOT NULL PRIMARY KEY,
  plan BYTES NOT NULL REFERENCES plan(id) ON DELETE CASCADE,
  parent BYTES,
  sequence INT64 NOT NULL,
  kind STRING NOT NULL,
  question STRING NOT NULL,
  chosen STRING NOT NULL,
  confidence REAL,
  superseded INT64,              -- sequence of the event that superseded it
  data BYTES NOT NULL            -- alternatives, rationale, context: what only explain shows
) CLUSTERED_OPTIONS;
CREATE INDEX decision_of_plan ON decision(plan, sequence);

CREATE TABLE budget (            -- per scope; reserved + spent never exceeds cap
  scope STRING NOT NULL PRIMARY KEY,
  cap INT64 NOT NULL,
  reserved INT64 NOT NULL,
  spent INT64 NOT NULL
) CLUSTERED_OPTIONS;
CREATE TABLE budget_entry (      -- a plan's share of it
  scope STRING NOT NULL REFERENCES budget(scope),
  plan BYTES NOT NULL,
  reserved INT64 NOT NULL,
  spent INT64 NOT NULL,
  PRIMARY KEY (scope, plan)
) CLUSTERED_OPTIONS;
)sql";

constexpr std::array kSteps{
    Migration{1, "journal", kJournal},
    Migration{2, "jobs", kJobs},
    Migration{3, "projections", kProjections},
};

}  // namespace

std::span<const Migration> schema() { return kSteps; }

}  // namespace clever::storage
