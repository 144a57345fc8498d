#pragma once
// Report #3950: the engine cache as reported, as proposed, the ways in which consumers of the
// proposed one go wrong, and a correct one.
//
// A consumer is one of the two places in the code that open databases.

#include <map>
#include <memory>
#include <string>

#include "base/monitor.h"
#include "base/mutex.h"
#include "reports/engine_cache_backend.h"
#include "reports/python.h"

namespace clever::reports::engine_cache {

/// "if url not in cache: cache[url] = create_engine(url)", written out by each consumer.
class Reported {
 public:
  explicit Reported(Backend& backend) : backend_(backend) {}

  EnginePtr open(int /*consumer*/, const std::string& url) {
    if (!cache_.contains(url)) cache_.set(url, backend_.create(url));
    return cache_.at(url);
  }
  /// A new unit of work does not know that another one has migrated.
  EnginePtr unit_of_work(int consumer, const std::string& url) {
    auto engine = open(consumer, url);
    engine->migrate();
    return engine;
  }
  /// Nobody knows who else holds it, so nobody closes it.
  void release(int /*consumer*/, const std::string& /*url*/, const EnginePtr& /*engine*/) {}

  void evict(const std::string& url) { cache_.pop(url); }

 private:
  Backend& backend_;
  python::Dict<std::string, EnginePtr> cache_;
};

/// The proposed fix: the cache comes with a lock, and every consumer takes it.
class Proposed {
 public:
  explicit Proposed(Backend& backend) : cache_(backend) {}

  EnginePtr open(int consumer, const std::string& url) {
    const base::MutexLock lock(exported_);
    return cache_.open(consumer, url);
  }
  EnginePtr unit_of_work(int consumer, const std::string& url) {
    auto engine = open(consumer, url);
    engine->migrate();
    return engine;
  }
  void release(int /*consumer*/, const std::string& /*url*/, const EnginePtr& /*engine*/) {}

 protected:
  EnginePtr open_without_lock(int consumer, const std::string& url) {
    return cache_.open(consumer, url);
  }
  void evict(const std::string& url) {
    const base::MutexLock lock(exported_);
    cache_.evict(url);
  }

 private:
  base::Mutex exported_{base::LockRank::kComponent};
  Reported cache_;
};

/// The second consumer was written by somebody who did not know of the lock.
class ProposedForgotten : public Proposed {
 public:
  using Proposed::Proposed;
  EnginePtr open(int consumer, const std::string& url) {
    return consumer == 0 ? Proposed::open(consumer, url) : open_without_lock(consumer, url);
  }
};

/// Consumers remove an engine that does not work and try once more.
class ProposedEvicting : public Proposed {
 public:
  using Proposed::Proposed;
  EnginePtr open(int consumer, const std::string& url) {
    auto engine = Proposed::open(consumer, url);
    if (engine->works()) return engine;
    evict(url);
    return Proposed::open(consumer, url);
  }
};

/// Consumers close what they have finished with.
class ProposedClosing : public Proposed {
 public:
  using Proposed::Proposed;
  void release(int /*consumer*/, const std::string& url, const EnginePtr& engine) {
    evict(url);
    engine->close();
  }
};

/// One opening at a time per database, outside the lock; migrated before anyone receives it; a
/// failure is not kept; the last holder closes.
class Control {
 public:
  explicit Control(Backend& backend) : backend_(backend) {}

  /// Null if the database cannot be opened now.
  EnginePtr open(int consumer, const std::string& url);
  EnginePtr unit_of_work(int consumer, const std::string& url) { return open(consumer, url); }
  void release(int consumer, const std::string& url, const EnginePtr& engine);

 private:
  struct Slot {
    bool opening = false;
    EnginePtr engine;
    int holders = 0;
  };
  using Slots = std::map<std::string, Slot>;
  // The engine, now with one holder more; or null, and the caller is the one to open it.
  EnginePtr join_or_lead(const std::string& key);
  EnginePtr lead(const std::string& key);

  Backend& backend_;
  base::Monitor<Slots, base::LockRank::kComponent> slots_;
};

}  // namespace clever::reports::engine_cache
