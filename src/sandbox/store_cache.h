#pragma once
#include <functional>
#include <map>
#include <memory>

#include "base/monitor.h"
#include "base/result.h"
#include "git/object_store.h"
#include "model/id.h"

namespace clever::sandbox {

/// The object stores of a process, one per plan, so that the plan's workspaces can read each
/// other's objects. A store closes with its last holder.
///
/// Thread-safe. Opening holds no lock; concurrent callers wait for it, and try themselves if it
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
