#include "reports/engine_cache_models.h"

namespace clever::reports::engine_cache {

EnginePtr Control::open(int /*consumer*/, const std::string& url) {
  const std::string key = normalised(url);
  if (auto engine = join_or_lead(key)) return engine;
  return lead(key);
}

EnginePtr Control::join_or_lead(const std::string& key) {
  const auto settled = [&](const Slots& slots) {
    const auto found = slots.find(key);
    return found == slots.end() || !found->second.opening;
  };
  return slots_
      .update_when(base::StopToken{}, settled,
                   [&](Slots& slots) {
                     Slot& slot = slots[key];
                     if (slot.engine) ++slot.holders;
                     slot.opening = slot.engine == nullptr;
                     return slot.engine;
                   })
      .value();
}

EnginePtr Control::lead(const std::string& key) {
  EnginePtr engine = backend_.create(key, Memory::kShared);
  const bool works = engine->works();
  if (works) engine->migrate();
  slots_.update([&](Slots& slots) {
    if (works) {
      slots[key] = Slot{.opening = false, .engine = engine, .holders = 1};
    } else {
      slots.erase(key);
    }
  });
  return works ? engine : nullptr;
}

void Control::release(int /*consumer*/, const std::string& url, const EnginePtr& engine) {
  slots_.update([&](Slots& slots) {
    const auto found = slots.find(normalised(url));
    if (--found->second.holders > 0) return;
    engine->close();
    slots.erase(found);
  });
}

}  // namespace clever::reports::engine_cache
