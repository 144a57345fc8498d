#include <array>

#include "storage/migration.h"

// The schema, step by step. Times are microseconds since 1970 by the database's clock. Ids of
// plans, decisions, effects and owners are the 16 bytes of their ULIDs, which sort by time. Rows
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

constexpr std::string_view kProjectionTables = R"sql(
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

constexpr std::string_view kProviders = R"sql(
ALTER TABLE budget ADD COLUMN token_cap INT64 NOT NULL DEFAULT 1000000000000000;  -- none
ALTER TABLE budget ADD COLUMN tokens_reserved INT64 NOT NULL DEFAULT 0;
ALTER TABLE budget ADD COLUMN tokens_spent INT64 NOT NULL DEFAULT 0;
ALTER TABLE budget ADD COLUMN overrun INT64 NOT NULL DEFAULT 0;  -- calls that cost more than
                                 -- reserved; nothing more is reserved until the cap is set anew
ALTER TABLE budget_entry ADD COLUMN tokens_reserved INT64 NOT NULL DEFAULT 0;
ALTER TABLE budget_entry ADD COLUMN tokens_spent INT64 NOT NULL DEFAULT 0;

CREATE TABLE budget_reservation ( -- those that are not settled
  plan BYTES NOT NULL,
  sequence INT64 NOT NULL,       -- of the event that reserved it
  effect BYTES,                  -- what it is for
  scopes STRING NOT NULL,        -- one per line
  money INT64 NOT NULL,
  tokens INT64 NOT NULL,
  time INT64 NOT NULL,
  PRIMARY KEY (plan, sequence)
) CLUSTERED_OPTIONS;

CREATE TABLE rate_lane (         -- what all processes should know of a model behind one key
  lane STRING NOT NULL PRIMARY KEY,
  paused INT64 NOT NULL,         -- nothing is sent before this time
  leases INT64 NOT NULL          -- how often slots were taken; changed first, so that takers queue
) CLUSTERED_OPTIONS;
CREATE TABLE rate_limit (        -- each of its limits as a sequence of slots in time
  lane STRING NOT NULL REFERENCES rate_lane(lane),
  unit INT64 NOT NULL,           -- what is counted
  amount INT64 NOT NULL,         -- so many in a span; 0: not known yet; -1: there is no such limit
  span INT64 NOT NULL,           -- nanoseconds, as all below
  pace INT64 NOT NULL,           -- from one slot to the next
  grace INT64 NOT NULL,          -- how late a slot may be used
  next INT64 NOT NULL,           -- since 1970: the first slot that nobody has
  PRIMARY KEY (lane, unit)
) CLUSTERED_OPTIONS;

CREATE TABLE circuit (           -- those that opened, as their last change said
  provider STRING NOT NULL,
  model STRING NOT NULL,
  state STRING NOT NULL,         -- closed, open, half-open
  reason STRING NOT NULL,
  next_probe INT64 NOT NULL,
  changed INT64 NOT NULL,
  resets INT64 NOT NULL,         -- how often a person has closed it
  PRIMARY KEY (provider, model)
) CLUSTERED_OPTIONS;

CREATE TABLE model_call (        -- one row per call of a model, whatever became of it
  id SERIAL,
  plan BYTES,
  decision BYTES,
  effect BYTES,
  provider STRING NOT NULL,
  model STRING NOT NULL,         -- the one that answered, or was asked last
  started INT64 NOT NULL,
  latency INT64 NOT NULL,        -- microseconds until the end, waiting included
  first_byte INT64,              -- microseconds from the last attempt's start
  waited INT64 NOT NULL,         -- microseconds in queues and pauses
  retries INT64 NOT NULL,
  input_tokens INT64 NOT NULL,
  output_tokens INT64 NOT NULL,
  cache_read_tokens INT64 NOT NULL,
  cache_write_tokens INT64 NOT NULL,
  cost INT64,                    -- millionths of a dollar; none: the model has no known price
  error STRING,                  -- kind of the failure; none: it was answered
  attributes STRING NOT NULL     -- OpenTelemetry's names (gen_ai.*), JSON
) TABLE_OPTIONS;
CREATE INDEX model_call_of_plan ON model_call(plan, id) WHERE plan IS NOT NULL;
)sql";

constexpr std::string_view kSandboxes = R"sql(
CREATE TABLE changeset (
  id BYTES NOT NULL PRIMARY KEY,
  plan BYTES NOT NULL REFERENCES plan(id) ON DELETE CASCADE,
  decision BYTES,
  entries INT64 NOT NULL,        -- so far; they are numbered from 1
  started INT64 NOT NULL,        -- sequence of the event that started it
  sealed INT64,                  -- of the one that sealed it
  digest BYTES                   -- of its net changes; none while it is open
) CLUSTERED_OPTIONS;
CREATE INDEX changeset_of_plan ON changeset(plan, started);
CREATE TABLE change_entry (
  changeset BYTES NOT NULL REFERENCES changeset(id) ON DELETE CASCADE,
  sequence INT64 NOT NULL,       -- 1, 2, 3, … within the changeset
  path BYTES NOT NULL,
  moved_from BYTES,
  operation STRING NOT NULL,
  before_mode INT64,             -- none: it was not there
  before_hash BYTES,
  before_object STRING,
  after_mode INT64,              -- none: it is gone
  after_hash BYTES,
  after_object STRING,
  tool STRING NOT NULL,
  decision BYTES,
  time INT64 NOT NULL,
  PRIMARY KEY (changeset, sequence)
) CLUSTERED_OPTIONS;

CREATE TABLE workspace (         -- folders in which plans work
  id BYTES NOT NULL PRIMARY KEY,
  plan BYTES NOT NULL,
  epoch INT64 NOT NULL,          -- of the plan's lease under which it was made
  owner BYTES NOT NULL,          -- the process that made it
  host STRING NOT NULL,
  boot STRING NOT NULL,
  state STRING NOT NULL,         -- open, committed, quarantined, removing
  dirty INT64 NOT NULL,          -- 1: holds work that no checkpoint has
  base STRING NOT NULL,          -- tree it began with
  checkpoint STRING NOT NULL,    -- the last tree that is durable
  version INT64 NOT NULL,        -- grows with each change of this row
  reason STRING NOT NULL,        -- why it was quarantined
  created INT64 NOT NULL,
  updated INT64 NOT NULL
) CLUSTERED_OPTIONS;
CREATE INDEX workspace_of_plan ON workspace(plan, id);
)sql";

// Plans that share only uncapped scopes do not wait for one row: the sum of a scope's shares gives
// what is reserved and spent in it.
constexpr std::string_view kUncounted = R"sql(
UPDATE budget SET reserved = 0, spent = 0, tokens_reserved = 0, tokens_spent = 0
WHERE cap >= 1000000000000000 AND token_cap >= 1000000000000000;

CREATE VIEW budget_sum AS        -- scopes as they are shown
SELECT b.scope, b.cap, b.token_cap, b.overrun,
  CASE WHEN b.cap < 1000000000000000 OR b.token_cap < 1000000000000000 THEN b.reserved
    ELSE (SELECT CAST(COALESCE(SUM(e.reserved), 0) AS INT64)
          FROM budget_entry e WHERE e.scope = b.scope) END AS reserved,
  CASE WHEN b.cap < 1000000000000000 OR b.token_cap < 1000000000000000 THEN b.spent
    ELSE (SELECT CAST(COALESCE(SUM(e.spent), 0) AS INT64)
          FROM budget_entry e WHERE e.scope = b.scope) END AS spent,
  CASE WHEN b.cap < 1000000000000000 OR b.token_cap < 1000000000000000 THEN b.tokens_reserved
    ELSE (SELECT CAST(COALESCE(SUM(e.tokens_reserved), 0) AS INT64)
          FROM budget_entry e WHERE e.scope = b.scope) END AS tokens_reserved,
  CASE WHEN b.cap < 1000000000000000 OR b.token_cap < 1000000000000000 THEN b.tokens_spent
    ELSE (SELECT CAST(COALESCE(SUM(e.tokens_spent), 0) AS INT64)
          FROM budget_entry e WHERE e.scope = b.scope) END AS tokens_spent
FROM budget b;
)sql";

// Writes fewer rows per step: an event stores its small contents itself, and an effect's row names
// its plan.
constexpr std::string_view kLeaner = R"sql(
CREATE TABLE effect_alone (      -- as before
  id BYTES NOT NULL PRIMARY KEY,
  plan BYTES NOT NULL,
  kind STRING NOT NULL,
  data BYTES NOT NULL,
  requested INT64 NOT NULL,
  settled INT64
) CLUSTERED_OPTIONS;
INSERT INTO effect_alone (id, plan, kind, data, requested, settled)
SELECT id, plan, kind, data, requested, settled FROM effect;
DROP TABLE effect;
ALTER TABLE effect_alone RENAME TO effect;
CREATE INDEX effect_open ON effect(plan, requested) WHERE settled IS NULL;

CREATE TABLE event_body (        -- which events need which bodies
  plan BYTES NOT NULL,
  sequence INT64 NOT NULL,
  hash BYTES NOT NULL,
  content BYTES,                 -- none: it is in body
  PRIMARY KEY (plan, sequence, hash)
) CLUSTERED_OPTIONS;
INSERT INTO event_body (plan, sequence, hash) SELECT plan, sequence, hash FROM body_use;
DROP TABLE body_use;
CREATE INDEX event_body_by_hash ON event_body(hash);
)sql";

// Which home holds a plan's files.
constexpr std::string_view kHomes = R"sql(
ALTER TABLE lease ADD COLUMN home STRING NOT NULL DEFAULT '';
ALTER TABLE lease ADD COLUMN home_folder STRING NOT NULL DEFAULT '';
)sql";

// Rows outside the journals carry a digest that shows changes made by hand: see RowVerify. Rows
// from before have none.
constexpr std::string_view kDigests = R"sql(
ALTER TABLE inbox ADD COLUMN digest BYTES;         -- of the command as it was sent
ALTER TABLE inbox ADD COLUMN receipt_digest BYTES; -- of its answer
ALTER TABLE model_call ADD COLUMN digest BYTES;    -- of all columns but the id
ALTER TABLE budget ADD COLUMN digest BYTES;        -- of its caps
)sql";

// What each person may do at a server, and what they did: a chain of its own, like a journal's.
constexpr std::string_view kAccess = R"sql(
CREATE TABLE person (
  name STRING NOT NULL PRIMARY KEY,
  created INT64 NOT NULL,
  removed INT64,                 -- none: their tokens count
  digest BYTES NOT NULL          -- of the above
) CLUSTERED_OPTIONS;

CREATE TABLE access_token (
  id BYTES NOT NULL PRIMARY KEY,
  hash BYTES NOT NULL,           -- SHA-256 of its text, which is nowhere
  person STRING NOT NULL REFERENCES person(name),
  label STRING NOT NULL,
  rights STRING NOT NULL,        -- one per line
  namespaces STRING NOT NULL,    -- one per line; empty: all
  created INT64 NOT NULL,
  expires INT64 NOT NULL,
  revoked INT64,
  used INT64,                    -- to the minute
  digest BYTES NOT NULL          -- of the above but the last use
) CLUSTERED_OPTIONS;
CREATE INDEX access_token_of_person ON access_token(person);

CREATE TABLE audit (
  sequence INT64 NOT NULL PRIMARY KEY,  -- 1, 2, 3, …
  time INT64 NOT NULL,
  caller STRING NOT NULL,
  action STRING NOT NULL,
  target STRING NOT NULL,
  outcome STRING NOT NULL,
  detail STRING NOT NULL,
  hash BYTES NOT NULL            -- over the previous hash and all above
) CLUSTERED_OPTIONS;
CREATE TABLE audit_head (
  id INT64 NOT NULL PRIMARY KEY, -- 1
  sequence INT64 NOT NULL        -- of the last entry
) CLUSTERED_OPTIONS;
INSERT INTO audit_head (id, sequence) VALUES (1, 0);
)sql";

// A deleted row cannot report its deletion. Rows that no journal holds, and on which money, effects
// or contents depend, are sealed in a second table; rows that change carry a digest of their
// content. Rows from before have a seal without a digest.
constexpr std::string_view kSeals = R"sql(
CREATE TABLE seal (              -- that there is a row: of inbox, model_call
  source STRING NOT NULL,        -- its table
  number INT64 NOT NULL,         -- its id
  digest BYTES,                  -- as the row has it
  PRIMARY KEY (source, number)
) CLUSTERED_OPTIONS;
INSERT INTO seal (source, number, digest) SELECT 'inbox', id, digest FROM inbox;
INSERT INTO seal (source, number, digest) SELECT 'model_call', id, digest FROM model_call;

CREATE TABLE budget_seal (       -- that there is a scope
  scope STRING NOT NULL PRIMARY KEY,
  digest BYTES,                  -- as its row has it
  overrun INT64 NOT NULL         -- once more
) CLUSTERED_OPTIONS;
INSERT INTO budget_seal (scope, digest, overrun) SELECT scope, digest, overrun FROM budget;

ALTER TABLE lease ADD COLUMN holder_digest BYTES;  -- of name, owner, host and boot
ALTER TABLE lease ADD COLUMN home_digest BYTES;    -- of name, home and home_folder
ALTER TABLE rate_limit ADD COLUMN digest BYTES;    -- of what was learned
ALTER TABLE workspace ADD COLUMN digest BYTES;     -- of all columns but the times
)sql";

// What remains of plans whose journals were deleted.
constexpr std::string_view kTombstones = R"sql(
CREATE TABLE tombstone (
  number INT64 NOT NULL PRIMARY KEY,  -- 1, 2, 3, …
  plan BYTES NOT NULL UNIQUE,
  data BYTES NOT NULL,           -- JSON: costs, audit, commits, the last hash
  hash BYTES NOT NULL            -- over the one before and all above
) TABLE_OPTIONS;
)sql";

// Processes that take jobs, and whose jobs they are.
constexpr std::string_view kWorkers = R"sql(
ALTER TABLE job ADD COLUMN share STRING; -- of the jobs of several shares each gets its turn
CREATE INDEX job_of_share ON job(queue, share, ready) WHERE share IS NOT NULL;

CREATE TABLE worker (
  id BYTES NOT NULL PRIMARY KEY, -- the owner of its leases
  host STRING NOT NULL,          -- where it runs, and since which boot of that host
  boot STRING NOT NULL,
  home STRING NOT NULL,          -- of the plans that it can work on
  queue STRING NOT NULL,
  slots INT64 NOT NULL,          -- jobs that it runs at once
  process INT64 NOT NULL,
  settings STRING NOT NULL,      -- a digest of those that decide how it works
  started INT64 NOT NULL,
  seen INT64 NOT NULL,
  draining INT64 NOT NULL        -- 1: it was asked to take no more jobs
) CLUSTERED_OPTIONS;
)sql";

// Conversations that several clients take part in.
constexpr std::string_view kSessions = R"sql(
CREATE TABLE session (
  id BYTES NOT NULL PRIMARY KEY,
  name STRING NOT NULL,
  person STRING NOT NULL,        -- who began it
  project STRING NOT NULL,       -- the root of the project that its plans work on
  parent BYTES,                  -- what it was forked from
  created INT64 NOT NULL,
  messages INT64 NOT NULL        -- how many there are: the number of the last
) CLUSTERED_OPTIONS;

CREATE TABLE session_message (
  session BYTES NOT NULL,
  number INT64 NOT NULL,         -- 1, 2, 3, … within the session
  person STRING NOT NULL,        -- who said it
  time INT64 NOT NULL,
  text STRING NOT NULL,
  plan BYTES,                    -- what works on it
  PRIMARY KEY (session, number)
) CLUSTERED_OPTIONS;
)sql";

constexpr std::array kMigrations{
    Migration{1, "journal", kJournal},
    Migration{2, "jobs", kJobs},
    Migration{3, "projections", kProjectionTables},
    Migration{4, "providers", kProviders},
    Migration{5, "sandboxes", kSandboxes},
    Migration{6, "uncounted", kUncounted},
    Migration{7, "leaner", kLeaner},
    Migration{8, "homes", kHomes},
    Migration{9, "digests", kDigests},
    Migration{10, "access", kAccess},
    Migration{11, "seals", kSeals},
    Migration{12, "tombstones", kTombstones},
    Migration{13, "workers", kWorkers},
    Migration{14, "sessions", kSessions},
};

}  // namespace

std::span<const Migration> schema() { return kMigrations; }

}  // namespace clever::storage
