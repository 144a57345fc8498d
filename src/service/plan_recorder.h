#pragma once
#include <memory>

#include "base/result.h"
#include "engine/runtime.h"
#include "service/context.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"

namespace clever::service {

class Workplace;

/// The engine with which the requests of a server record plans that workers drive: one for all
/// requests, so that none starts threads of its own. It drives nothing itself.
///
/// Opened by the thread that the context belongs to; thread-safe from then on. The store and the
/// context outlive it.
class PlanRecorder {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<PlanRecorder>> open(
      const std::shared_ptr<storage::Engine>& store, Context& context);
  ~PlanRecorder();

  /// Null for another database than the one it was opened for.
  [[nodiscard]] engine::Runtime* runtime(const storage::Engine& store) const;
  /// For requests that only ask which owners live.
  [[nodiscard]] std::shared_ptr<const storage::OwnerLock> owner() const { return owner_; }

 private:
  PlanRecorder(const storage::Engine& store, std::unique_ptr<Workplace> workplace,
               storage::OwnerLock owner);

  // Constant after construction.
  const storage::Engine& store_;
  const std::unique_ptr<Workplace> workplace_;
  const std::shared_ptr<const storage::OwnerLock> owner_;
};

}  // namespace clever::service
