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

/// Who may do what, fenced: one holder per name, and an epoch that grows whenever the holder
/// changes, so that whatever an earlier holder still writes is refused. Rows are never deleted.
///
/// A lease can be taken if it is free, expired by the database's clock, or its owner is dead, which
/// on the same host and boot is known at once (OwnerLock). The lease of a plan is named
/// plan_name(plan); acquiring it makes the plan's journal if there is none and raises the journal's
/// epoch in the same transaction.
///
/// The lease of a plan belongs to the home that first held it: there lie the plan's files. Another
/// home gets `permission_denied`, which names that home; once hosts can fetch the objects of
/// others, this is where one takes them over.
///
/// Thread-safe. The engine must outlive it.
class Leases {
 public:
  explicit Leases(Engine& engine) : engine_(engine) {}

  /// `conflict` names the present holder, even if that is the caller; `permission_denied` the home
  /// that has a plan's files.
  base::Result<Lease> acquire(const std::string& name, const OwnerLock& owner,
                              std::chrono::microseconds ttl, const base::StopToken& stop = {},
                              base::Deadline deadline = base::Deadline::never());
  base::Result<Lease> acquire(const model::PlanId& plan, const OwnerLock& owner,
                              std::chrono::microseconds ttl, const base::StopToken& stop = {},
                              base::Deadline deadline = base::Deadline::never());

  /// Whether somebody who is not known to be dead holds it now. Takes nothing.
  [[nodiscard]] base::Result<bool> is_held(const std::string& name, const OwnerLock& owner,
                                           const base::StopToken& stop = {},
                                           base::Deadline deadline = base::Deadline::never());

  /// `permission_denied`, which names the home, if the plan's files lie in another one than the
  /// owner's.
  base::Result<void> check_home(const model::PlanId& plan, const OwnerLock& owner,
                                const base::StopToken& stop = {},
                                base::Deadline deadline = base::Deadline::never());

  /// Prolongs all leases of the owner, some hundred at a time, and returns them: what is missing
  /// was lost, or acquired meanwhile.
  base::Result<std::vector<Lease>> renew_all(const OwnerLock& owner, std::chrono::microseconds ttl,
                                             const base::StopToken& stop = {},
                                             base::Deadline deadline = base::Deadline::never());

  /// Gives the lease up. The epoch grows: nothing is written under it any more. `conflict` if it
  /// was lost before.
  base::Result<void> release(const Lease& lease, const OwnerLock& owner,
                             const base::StopToken& stop = {},
                             base::Deadline deadline = base::Deadline::never());

  /// For any unit: refuses it with `conflict` if the lease is stale.
  [[nodiscard]] static Statement guard(const Lease& lease);

  /// Deletes the lock files of dead owners that hold nothing any more. Returns how many.
  base::Result<std::size_t> remove_leftovers(const OwnerLock& owner,
                                             const base::StopToken& stop = {},
                                             base::Deadline deadline = base::Deadline::never());

 private:
  struct Holder {
    Owner owner{};  // no id: nobody; its home keeps the plan's files
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
  // Takes the lease if it is free or expired, or still held as `seen`.
  base::Result<Lease> take(const Wish& wish, const Holder& seen);
  base::Result<Holder> holder(const std::string& name, const base::StopToken& stop,
                              base::Deadline deadline);

  Engine& engine_;
};

}  // namespace clever::storage
