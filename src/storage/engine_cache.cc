#include "storage/engine_cache.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/lock_rank.h"
#include "base/monitor.h"
#include "base/plant.h"

namespace clever::storage {

// One opening, shared by its leader and the callers that wait for it. Accessed under the lock of
// Slots. Callers release a result outside the lock, because the last reference closes the engine.
struct EngineCache::Opening {
  bool settled = false;
  Outcome outcome;
};

// Open databases and openings in progress. A slot with neither an opening nor a living engine is
// closing; the slot goes when its engine is closed.
class EngineCache::Slots {
 public:
  struct Arrival {
    std::string identity;              // the database that this slot belongs to
    std::shared_ptr<Engine> engine;    // set while open
    std::shared_ptr<Opening> opening;  // set while opening: wait for it, or lead it
    bool leads = false;
  };

  /// Returns the slot of this database, or that of another database with the same name: a replaced
  /// file shares its log with the new one, so both must not be open at once.
  Arrival arrive(const std::string& identity, const std::string& name) {
    return slots_.update([&](Map& slots) -> Arrival {
      auto slot = slots.find(identity);
      if (slot == slots.end()) {
        const bool alone = base::planted("engine_cache.opens_one_at_a_time");
        slot = std::ranges::find_if(slots, [&](const auto& entry) {
          return entry.second.name == name || (alone && entry.second.opening != nullptr);
        });
      }
      const bool is_there = slot != slots.end();
      if (is_there && !base::planted("engine_cache.opens_beside_another")) {
        return {slot->first, slot->second.engine.lock(), slot->second.opening, false};
      }
      const auto opening = std::make_shared<Opening>();
      slots[identity] = Slot{.name = name, .opening = opening, .engine = {}, .kept = {}};
      return {identity, nullptr, opening, true};
    });
  }

  base::Result<Outcome> await(const Opening& opening, const base::StopToken& stop,
                              base::Deadline deadline) {
    return slots_.update_when(
        stop, deadline, [&](const Map&) { return opening.settled; },
        [&](Map&) { return opening.outcome; });
  }

  base::Result<void> await_closed(const std::string& identity, const base::StopToken& stop,
                                  base::Deadline deadline) {
    return slots_.wait(stop, deadline, [&](const Map& slots) {
      const auto slot = slots.find(identity);
      return slot == slots.end() || slot->second.opening || !slot->second.engine.expired();
    });
  }

  void open(const std::string& identity, Opening& opening, const std::shared_ptr<Engine>& engine,
            bool keep) {
    slots_.update([&](Map& slots) {
      Slot& slot = slots.at(identity);
      slot.opening = nullptr;
      slot.engine = engine;
      if (keep || base::planted("engine_cache.never_closes")) slot.kept = engine;
      settle(opening, engine);
    });
  }

  void fail(const std::string& identity, Opening& opening, Outcome outcome) {
    slots_.update([&](Map& slots) {
      if (!base::planted("engine_cache.keeps_failures")) slots.erase(identity);
      settle(opening, std::move(outcome));
    });
  }

  void closed(const std::string& identity) {
    slots_.update([&](Map& slots) { slots.erase(identity); });
  }

 private:
  struct Slot {
    std::string name;
    std::shared_ptr<Opening> opening;
    std::weak_ptr<Engine> engine;
    std::shared_ptr<Engine> kept;
  };
  using Map = std::map<std::string, Slot>;

  static void settle(Opening& opening, Outcome outcome) {
    CLEVER_CHECK(!opening.settled, "an opening settles once");
    opening.outcome = std::move(outcome);
    opening.settled = true;
  }

  base::Monitor<Map> slots_;
};

namespace {

// What the holders of an engine share. The last holder closes the engine; only then may its
// database be opened again.
template <class Slots>
class Held {
 public:
  Held(std::unique_ptr<Engine> opened, std::weak_ptr<Slots> slots, std::string identity)
      : engine(std::move(opened)), slots_(std::move(slots)), identity_(std::move(identity)) {}
  ~Held() {
    base::lock_rank::require_none("closing a database");
    engine.reset();
    if (const auto shared = slots_.lock()) shared->closed(identity_);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  std::unique_ptr<Engine> engine;

 private:
  const std::weak_ptr<Slots> slots_;
  const std::string identity_;
};

base::Error in_use(const std::string& name) {
  return base::conflict(
      name +
      " was replaced by another file while the old one is in use; end the programs that use "
      "it before replacing a database");
}

}  // namespace

EngineCache::EngineCache(EngineSource& source)
    : source_(source), slots_(std::make_shared<Slots>()) {}

EngineCache::~EngineCache() = default;

base::Result<std::shared_ptr<Engine>> EngineCache::open(const DatabaseUrl& url,
                                                        const base::StopToken& stop,
                                                        base::Deadline deadline) {
  base::lock_rank::require_none("opening a database");
  constexpr int kPatience = 16;
  const std::string name = url.normalised();
  for (int replaced = 0; replaced < kPatience;) {
    CLEVER_ASSIGN(const std::string identity, source_.identify(url));
    const auto [held_by, engine, opening, leads] = slots_->arrive(identity, name);
    if (engine && held_by == identity) return engine;
    if (engine) return in_use(name);
    if (leads) {
      if (auto outcome = lead(url, identity, *opening, stop, deadline)) return *std::move(outcome);
      ++replaced;
    } else if (opening) {
      CLEVER_ASSIGN(auto outcome, slots_->await(*opening, stop, deadline));
      if (outcome && held_by == identity) return *std::move(outcome);
    } else {
      CLEVER_TRY(slots_->await_closed(held_by, stop, deadline));
    }
  }
  return base::unavailable(name + " is replaced by another file each time agents opens it");
}

EngineCache::Outcome EngineCache::lead(const DatabaseUrl& url, const std::string& identity,
                                       Opening& opening, const base::StopToken& stop,
                                       base::Deadline deadline) {
  auto made = deadline.passed()
                  ? base::deadline_exceeded("the deadline passed before the database was opened")
                  : source_.open(url, stop);
  if (!made.ok()) {
    const bool own_end = deadline.passed() || stop.stop_requested();
    slots_->fail(identity, opening, own_end ? Outcome() : Outcome(made.error()));
    return made.error();
  }
  if (!is_still(url, identity)) {
    made->reset();
    slots_->fail(identity, opening, {});
    return {};
  }
  const auto held = std::make_shared<Held<Slots>>(*std::move(made), slots_, identity);
  const std::shared_ptr<Engine> engine(held, held->engine.get());
  slots_->open(identity, opening, engine,
               std::holds_alternative<DatabaseUrl::Memory>(url.address()));
  return engine;
}

// A file can be replaced after it is identified and before it is opened.
bool EngineCache::is_still(const DatabaseUrl& url, const std::string& identity) {
  const auto now = source_.identify(url);
  return now.ok() && *now == identity;
}

}  // namespace clever::storage
