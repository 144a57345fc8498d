#include "worker/roster.h"

#include <utility>

#include "storage/keys.h"

namespace clever::worker {
namespace {

using Life = storage::OwnerLock::Life;

constexpr storage::Refusal kGone{base::ErrorCode::kNotFound, "the worker is not on the roster"};

// How many microseconds ago a worker on another host may last have been heard of.
constexpr std::int64_t kSilence = 30'000'000;

WorkerRecord worker_of(const storage::Row& row) {
  return {.owner = {storage::id_of<model::OwnerId>(row.blob(0)),
                    row.text(1),
                    row.text(2),
                    {row.text(3), {}}},
          .queue = row.text(4),
          .slots = row.integer(5),
          .process = row.integer(6),
          .settings = row.text(7),
          .started = model::to_timestamp(row.integer(8)),
          .seen = model::to_timestamp(row.integer(9)),
          .draining = row.integer(10) != 0};
}

bool lives(Life life, bool is_fresh) {
  return life == Life::kAlive || (life == Life::kUnknown && is_fresh);
}

}  // namespace

base::Result<void> Roster::enter(const WorkerRecord& worker, const base::StopToken& stop) {
  const storage::Owner& owner = owner_.owner();
  storage::UnitOfWork unit;
  unit.run(
      "INSERT INTO worker (id, host, boot, home, queue, slots, process, settings, started, seen, "
      "draining) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clever_now(), clever_now(), 0)",
      storage::to_blob(owner.id), owner.host, owner.boot, owner.home.id, worker.queue, worker.slots,
      worker.process, worker.settings);
  unit.notify(std::string(kTopic));
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

base::Result<bool> Roster::stay(const std::string& settings, const base::StopToken& stop) {
  storage::UnitOfWork unit;
  const std::size_t at = unit.require(
      1, kGone,
      "UPDATE worker SET seen = clever_now(), settings = $2 WHERE id = $1 RETURNING draining",
      storage::to_blob(owner_.owner().id), settings);
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(std::move(unit), stop));
  return receipt.outcomes[at].rows[0].integer(0) != 0;
}

base::Result<void> Roster::leave(const base::StopToken& stop) {
  storage::UnitOfWork unit;
  unit.run("DELETE FROM worker WHERE id = $1", storage::to_blob(owner_.owner().id));
  unit.notify(std::string(kTopic));
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

base::Result<std::vector<Roster::Found>> Roster::all(const base::StopToken& stop) {
  CLEVER_ASSIGN(const storage::Rows rows,
                engine_.query(storage::statement(
                                  "SELECT id, host, boot, home, queue, slots, process, settings, "
                                  "started, seen, draining, CASE WHEN seen > clever_now() - $1 "
                                  "THEN 1 ELSE 0 END FROM worker ORDER BY started, id",
                                  kSilence),
                              stop));
  std::vector<Found> found;
  for (const auto row : rows) {
    Found one{.worker = worker_of(row), .is_fresh = row.integer(11) != 0};
    CLEVER_ASSIGN(one.life, owner_.probe(one.worker.owner));
    found.push_back(std::move(one));
  }
  return found;
}

base::Result<std::vector<WorkerRecord>> Roster::list(const base::StopToken& stop) {
  CLEVER_ASSIGN(std::vector<Found> found, all(stop));
  std::vector<WorkerRecord> living;
  for (Found& one : found) {
    if (lives(one.life, one.is_fresh)) living.push_back(std::move(one.worker));
  }
  return living;
}

base::Result<std::size_t> Roster::drain(const model::OwnerId& worker, const base::StopToken& stop) {
  storage::UnitOfWork unit;
  const std::size_t at =
      worker ? unit.run("UPDATE worker SET draining = 1 WHERE id = $1", storage::to_blob(worker))
             : unit.run("UPDATE worker SET draining = 1");
  unit.notify(std::string(kTopic));
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(std::move(unit), stop));
  return receipt.outcomes[at].count;
}

base::Result<std::size_t> Roster::bury(JobQueue& jobs, const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::vector<Found> found, all(stop));
  std::size_t given_back = 0;
  for (const Found& one : found) {
    if (lives(one.life, one.is_fresh)) continue;
    // Only of one that is dead for sure: the leases of others expire by themselves.
    if (one.life == Life::kDead) {
      CLEVER_ASSIGN(const std::size_t count, jobs.expire_owner(one.worker.owner.id));
      given_back += count;
    }
    storage::UnitOfWork unit;
    unit.run("DELETE FROM worker WHERE id = $1", storage::to_blob(one.worker.owner.id));
    unit.notify(std::string(kTopic));
    CLEVER_TRY(engine_.commit(std::move(unit), stop));
  }
  return given_back;
}

}  // namespace clever::worker
