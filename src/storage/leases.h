#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"

namespace clever::storage {

/// The right to write under a name, until a greater epoch exists. A value.
struct Lease {
  std::string name;
  std::int64_t epoch = 0;

  friend bool operator==(const Lease&, const Lease&) = default;
};

/// Fenced rights: one holder per name, and an epoch that grows with each new holder, so that later
/// writes of an earlier holder are refused. Rows are never deleted.
///
/// A lease can be taken if it is free, expired by the database's clock, or its owner is dead; on
/// the same host and boot OwnerLock detects that at once. The lease of a plan is named
/// plan_name(plan). Acquiring it creates the plan's journal if there is none, and raises the
/// journal's epoch in the same transaction.
///
/// The lease of a plan belongs to the home that first held it, because that home has the plan's
/// files. Another home gets `permission_denied`, which names the first one.
///
/// Thread-safe. The engine must outlive it.
class Leases {
 public:
  explicit Leases(Engine& engine) : engine_(engine) {}

  /// `conflict` names the present holder, even if it is the caller; `permission_denied` names the
  /// home that has the plan's files.
  base::Result<Lease> acquire(const std::string& name, const OwnerLock& owner,
                              std::chrono::microseconds ttl, const base::StopToken& stop = {},
                              base::Deadline deadline = base::Deadline::never());
  base::Result<Lease> acquire(const model::PlanId& plan, const OwnerLock& owner,
                              std::chrono::microseconds ttl, const base::StopToken& stop = {},
                              base::Deadline deadline = base::Deadline::never());

  /// Returns whether an owner that is not known to be dead holds it now. Takes nothing.
  [[nodiscard]] base::Result<bool> is_held(const std::string& name, const OwnerLock& owner,
                                           const base::StopToken& stop = {},
                                           base::Deadline deadline = base::Deadline::never());

  /// `permission_denied`, which names the home, if the plan's files are in another home than the
  /// owner's.
  base::Result<void> check_home(const model::PlanId& plan, const OwnerLock& owner,
                                const base::StopToken& stop = {},
                                base::Deadline deadline = base::Deadline::never());

  /// Extends all leases of the owner, some hundred at a time, and returns them: a missing one was
  /// lost, or acquired meanwhile.
  base::Result<std::vector<Lease>> renew_all(const OwnerLock& owner, std::chrono::microseconds ttl,
                                             const base::StopToken& stop = {},
                                             base::Deadline deadline = base::Deadline::never());

  /// Gives the lease up. The epoch grows, so that no later write under it succeeds. `conflict` if
  /// the lease was lost before.
  base::Result<void> release(const Lease& lease, const OwnerLock& owner,
                             const base::StopToken& stop = {},
                             base::Deadline deadline = base::Deadline::never());

  /// Adds what makes a new plan's journal under this owner's lease. The lease is the plan's first
  /// (epoch 1): if there was an earlier one, the unit or an append under this one is refused.
  static Lease add_first(UnitOfWork& unit, const model::PlanId& plan, const OwnerLock& owner,
                         std::chrono::microseconds ttl);

  /// The same as release(), as a part of another unit.
  static void add_release(UnitOfWork& unit, const Lease& lease, const OwnerLock& owner);

  /// For any unit: refuses it with `conflict` if the lease is stale.
  [[nodiscard]] static Statement guard(const Lease& lease);

  /// Deletes the lock files of dead owners without leases. Returns how many.
  base::Result<std::size_t> remove_leftovers(const OwnerLock& owner,
                                             const base::StopToken& stop = {},
                                             base::Deadline deadline = base::Deadline::never());

 private:
  struct Holder {
    Owner owner{};  // no id: free; its home keeps the plan's files
    std::int64_t epoch = 0;
    std::int64_t expires = 0;
  };
  struct Wish {
    const std::string& name;
    const Owner& owner;
    std::chrono::microseconds ttl;
    const base::StopToken& stop;
    base::Deadline deadline;
  };
  // Returns the index of the outcome that has the new epoch.
  static std::size_t add_take(UnitOfWork& unit, const Wish& wish, const Holder& seen);
  // Takes the lease if it is free or expired, or still held as `seen`.
  base::Result<Lease> take(const Wish& wish, const Holder& seen);
  base::Result<Holder> holder(const std::string& name, const base::StopToken& stop,
                              base::Deadline deadline);

  Engine& engine_;
};

}  // namespace clever::storage
