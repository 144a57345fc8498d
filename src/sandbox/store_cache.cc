#include "sandbox/store_cache.h"

namespace clever::sandbox {

base::Result<StoreCache::Store> StoreCache::open(const model::PlanId& plan, const Open& open) {
  using Slots = std::map<model::PlanId, Slot>;
  const auto is_settled = [&](const Slots& slots) {
    const auto slot = slots.find(plan);
    return slot == slots.end() || !slot->second.is_opening;
  };
  const auto take = [&](Slots& slots) {
    Slot& slot = slots[plan];
    Store store = slot.store.lock();
    slot.is_opening = store == nullptr;
    return store;
  };
  CLEVER_ASSIGN(Store found, slots_.update_when({}, base::Deadline::never(), is_settled, take));
  if (found != nullptr) return found;
  auto opened = open();
  slots_.update([&](Slots& slots) {
    Slot& slot = slots[plan];
    slot.is_opening = false;
    if (opened.ok()) slot.store = *opened;
    // Slots without holders make room.
    std::erase_if(slots, [](const auto& entry) {
      return !entry.second.is_opening && entry.second.store.expired();
    });
  });
  return opened;
}

}  // namespace clever::sandbox
