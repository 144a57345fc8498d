#pragma once
#include <functional>
#include <map>
#include <memory>

#include "base/monitor.h"
#include "base/result.h"
#include "git/object_store.h"
#include "model/id.h"

namespace clever::sandbox {

/// The object stores of a process, one per plan, so that what one workspace puts the others of the
/// plan can read. A store closes when its last holder lets go.
///
/// Thread-safe. Opening holds no lock; who comes meanwhile waits for it, and tries himself if it
/// failed.
class StoreCache {
 public:
  using Store = std::shared_ptr<git::ObjectStore>;
  using Open = std::function<base::Result<Store>()>;

  base::Result<Store> open(const model::PlanId& plan, const Open& open);

 private:
  struct Slot {
    bool is_opening = false;
    std::weak_ptr<git::ObjectStore> store{};
  };
  base::Monitor<std::map<model::PlanId, Slot>> slots_;
};

}  // namespace clever::sandbox
