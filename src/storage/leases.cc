#include "storage/leases.h"

#include <algorithm>

#include "base/check.h"
#include "base/plant.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

// A driver of ten thousand plans must not block their writes while it renews their leases.
constexpr std::size_t kRenewedAtOnce = 256;

constexpr Refusal kHeld{base::ErrorCode::kConflict, "another process holds the lease"};
constexpr Refusal kBuried{base::ErrorCode::kNotFound, "the plan's journal was deleted"};
constexpr Refusal kLost{base::ErrorCode::kConflict, "the lease was lost: its epoch is stale"};

// $6 and $7 are the owner and epoch that were found dead; they differ if another process took the
// lease first. The home stays that of the first owner.
constexpr Sql kTakeLease =
    "INSERT INTO lease (name, epoch, owner, host, boot, expires, home, home_folder, holder_digest, "
    "home_digest) VALUES ($1, 1, $2, $3, $4, clever_now() + $5, $8, $9, $10, $11) "
    "ON CONFLICT (name) DO UPDATE SET epoch = lease.epoch + 1, owner = excluded.owner, "
    "host = excluded.host, boot = excluded.boot, expires = excluded.expires, "
    "holder_digest = excluded.holder_digest "
    "WHERE (lease.home = '' OR lease.home = excluded.home) "
    "AND (lease.owner IS NULL OR lease.expires <= clever_now() "
    "OR (lease.owner = $6 AND lease.epoch = $7)) RETURNING epoch";

constexpr Sql kFenceJournal =
    "INSERT INTO journal (plan, sequence, hash, epoch) "
    "SELECT $1, 0, $2, epoch FROM lease WHERE name = $3 "
    "ON CONFLICT (plan) DO UPDATE SET epoch = excluded.epoch "
    "WHERE journal.epoch < excluded.epoch";

constexpr Sql kGuard{"SELECT 1 FROM lease WHERE name = $1 AND epoch = $2",
                     "SELECT 1 FROM lease WHERE name = $1 AND epoch = $2 FOR SHARE"};

constexpr Sql kRenew =
    "UPDATE lease SET expires = clever_now() + $2 "
    "WHERE owner = $1 AND name >= $3 AND name <= $4 RETURNING name, epoch";
// A planted fault: renews the lease for any owner.
constexpr Sql kRenewAny =
    "UPDATE lease SET expires = clever_now() + $2, owner = $1 "
    "WHERE name >= $3 AND name <= $4 RETURNING name, epoch";

base::Error held_by(const std::string& name, const Owner& owner, bool by_caller) {
  return base::conflict(
      name + " is held by " +
      (by_caller ? "this process itself" : "owner " + owner.id.to_string() + " on " + owner.host));
}

// Plans of older versions have no home and may move anywhere.
bool lives_elsewhere(const Home& home, const OwnerLock& owner) {
  return !home.id.empty() && home.id != owner.owner().home.id;
}

base::Error in_another_home(const std::string& name, const Owner& owner) {
  return base::permission_denied("the files of plan " + plan_of(name).to_string() +
                                 " are in the home " + owner.home.folder + " on " + owner.host +
                                 ": use that CLEVERAGENTS_HOME there, since files of plans do not "
                                 "travel between homes");
}

}  // namespace

std::size_t Leases::add_take(UnitOfWork& unit, const Wish& wish, const Holder& seen) {
  const model::PlanId plan = plan_of(wish.name);
  const Home home = plan ? wish.owner.home : Home();
  const Blob owner = to_blob(wish.owner.id);
  const std::size_t taken =
      unit.require(1, kHeld, kTakeLease, wish.name, owner, wish.owner.host, wish.owner.boot,
                   wish.ttl.count(), to_blob(seen.owner.id), seen.epoch, home.id, home.folder,
                   holder_digest(wish.name, owner, wish.owner.host, wish.owner.boot),
                   home_digest(wish.name, home.id, home.folder));
  if (plan) {
    unit.require(0, kBuried, "SELECT 1 FROM tombstone WHERE plan = $1", to_blob(plan));
    unit.run(kFenceJournal, to_blob(plan), to_blob(base::Sha256Digest()), wish.name);
  }
  return taken;
}

base::Result<Lease> Leases::take(const Wish& wish, const Holder& seen) {
  UnitOfWork unit;
  const std::size_t taken = add_take(unit, wish, seen);
  CLEVER_ASSIGN(const Receipt receipt, engine_.commit(std::move(unit), wish.stop, wish.deadline));
  const std::int64_t epoch = receipt.outcomes[taken].rows[0].integer(0);
  CLEVER_CHECK(epoch > seen.epoch, "an epoch only grows");
  return Lease{wish.name, epoch};
}

base::Result<Leases::Holder> Leases::holder(const std::string& name, const base::StopToken& stop,
                                            base::Deadline deadline) {
  const Statement look = statement(
      "SELECT owner, host, boot, epoch, expires, home, home_folder FROM lease WHERE name = $1",
      name);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  if (rows.empty()) return Holder();
  return Holder{{id_of<model::OwnerId>(rows[0].blob(0)),
                 rows[0].text(1),
                 rows[0].text(2),
                 {rows[0].text(5), rows[0].text(6)}},
                rows[0].integer(3),
                rows[0].integer(4)};
}

base::Result<void> Leases::check_home(const model::PlanId& plan, const OwnerLock& owner,
                                      const base::StopToken& stop, base::Deadline deadline) {
  const std::string name = plan_name(plan);
  CLEVER_ASSIGN(const Holder seen, holder(name, stop, deadline));
  if (lives_elsewhere(seen.owner.home, owner)) return in_another_home(name, seen.owner);
  return {};
}

base::Result<Lease> Leases::acquire(const std::string& name, const OwnerLock& owner,
                                    std::chrono::microseconds ttl, const base::StopToken& stop,
                                    base::Deadline deadline) {
  const Wish wish{name, owner.owner(), ttl, stop, deadline};
  auto lease = take(wish, Holder());
  while (!lease.ok() && lease.error().message() == kHeld.message) {
    CLEVER_ASSIGN(const Holder seen, holder(name, stop, deadline));
    if (lives_elsewhere(seen.owner.home, owner)) return in_another_home(name, seen.owner);
    if (seen.owner.id) {
      CLEVER_ASSIGN(const OwnerLock::Life life, owner.probe(seen.owner));
      if (life != OwnerLock::Life::kDead) {
        return held_by(name, seen.owner, seen.owner.id == owner.owner().id);
      }
    }
    lease = take(wish, seen);
  }
  return lease;
}

base::Result<Lease> Leases::acquire(const model::PlanId& plan, const OwnerLock& owner,
                                    std::chrono::microseconds ttl, const base::StopToken& stop,
                                    base::Deadline deadline) {
  return acquire(plan_name(plan), owner, ttl, stop, deadline);
}

base::Result<bool> Leases::is_held(const std::string& name, const OwnerLock& owner,
                                   const base::StopToken& stop, base::Deadline deadline) {
  const Statement look = statement(
      "SELECT owner, host, boot FROM lease "
      "WHERE name = $1 AND owner IS NOT NULL AND expires > clever_now()",
      name);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  if (rows.empty()) return false;
  CLEVER_ASSIGN(const OwnerLock::Life life, owner.probe({id_of<model::OwnerId>(rows[0].blob(0)),
                                                         rows[0].text(1), rows[0].text(2)}));
  return life != OwnerLock::Life::kDead;
}

base::Result<std::vector<Lease>> Leases::renew_all(const OwnerLock& owner,
                                                   std::chrono::microseconds ttl,
                                                   const base::StopToken& stop,
                                                   base::Deadline deadline) {
  const Value id = to_blob(owner.owner().id);
  CLEVER_ASSIGN(
      const Rows names,
      engine_.query(statement("SELECT name FROM lease WHERE owner = $1 ORDER BY name", id), stop,
                    deadline));
  std::vector<Lease> held;
  for (std::size_t first = 0; first < names.size(); first += kRenewedAtOnce) {
    const std::size_t last = std::min(first + kRenewedAtOnce, names.size()) - 1;
    UnitOfWork unit;
    unit.run(base::planted("leases.renews_what_others_hold") ? kRenewAny : kRenew, id, ttl.count(),
             names[first].text(0), names[last].text(0));
    CLEVER_ASSIGN(const Receipt receipt, engine_.commit(std::move(unit), stop, deadline));
    for (const Row& row : receipt.outcomes[0].rows) held.push_back({row.text(0), row.integer(1)});
  }
  return held;
}

base::Result<void> Leases::release(const Lease& lease, const OwnerLock& owner,
                                   const base::StopToken& stop, base::Deadline deadline) {
  UnitOfWork unit;
  add_release(unit, lease, owner);
  CLEVER_TRY(engine_.commit(std::move(unit), stop, deadline));
  return {};
}

Lease Leases::add_first(UnitOfWork& unit, const model::PlanId& plan, const OwnerLock& owner,
                        std::chrono::microseconds ttl) {
  const Lease lease{plan_name(plan), 1};
  add_take(unit, {lease.name, owner.owner(), ttl, {}, base::Deadline::never()}, Holder());
  return lease;
}

void Leases::add_release(UnitOfWork& unit, const Lease& lease, const OwnerLock& owner) {
  unit.require(1, kLost,
               "UPDATE lease SET epoch = epoch + 1, owner = NULL, expires = 0, holder_digest = $4 "
               "WHERE name = $1 AND epoch = $2 AND owner = $3",
               lease.name, lease.epoch, to_blob(owner.owner().id),
               holder_digest(lease.name, Null{}, owner.owner().host, owner.owner().boot));
  if (const model::PlanId plan = plan_of(lease.name)) {
    unit.run("UPDATE journal SET epoch = $2 WHERE plan = $1 AND epoch < $2", to_blob(plan),
             lease.epoch + 1);
  }
}

Statement Leases::guard(const Lease& lease) {
  Statement look = statement(kGuard, lease.name, lease.epoch);
  look.expectation = Expectation{1, kLost};
  return look;
}

base::Result<std::size_t> Leases::remove_leftovers(const OwnerLock& owner,
                                                   const base::StopToken& stop,
                                                   base::Deadline deadline) {
  const Statement look = statement("SELECT DISTINCT owner FROM lease WHERE owner IS NOT NULL");
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::set<model::OwnerId> holders;
  for (const Row& row : rows) holders.insert(id_of<model::OwnerId>(row.blob(0)));
  return owner.remove_leftovers(holders);
}

}  // namespace clever::storage
