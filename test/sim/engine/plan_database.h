#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "engine/plan_store.h"
#include "model/change.h"
#include "model/event.h"

namespace clever::sim {

/// A database of plans in memory: what survives a crash. Transactions are atomic, and refused where
/// the real tables refuse them (stale heads and epochs, effects settled twice, caps, sealed
/// changesets).
///
/// Thread-safe, and made of base's primitives alone, so that the explorer sees into it.
class PlanDatabase {
 public:
  struct Journal {
    storage::Head head{};
    std::int64_t epoch = 0;
    std::vector<model::StoredEvent> events{};
  };
  struct Lease {
    std::int64_t epoch = 0;
    /// Which process holds it; 0: nobody.
    int owner = 0;
  };
  struct Command {
    std::int64_t id = 0;
    model::PlanId plan{};
    std::string key{};
    std::string body{};
    std::int64_t consumed = 0;
    std::string receipt{};
  };
  struct Effect {
    model::PlanId plan{};
    std::string kind{};
    bool settled = false;
  };
  struct Changeset {
    model::PlanId plan{};
    std::int64_t entries = 0;
    bool sealed = false;
  };
  struct Tables {
    std::map<model::PlanId, Journal> journals{};
    std::map<model::PlanId, Lease> leases{};
    std::vector<Command> inbox{};
    std::map<model::EffectId, Effect> effects{};
    std::map<model::ChangesetId, Changeset> changesets{};
    std::map<std::string, storage::Budget> budgets{};
    std::map<base::Sha256Digest, std::string> bodies{};
    std::set<int> dead{};
    std::int64_t position = 0;
    bool fenced = true;
  };
  /// Topics to be told after a commit.
  using Topics = std::vector<std::string>;

  base::Result<storage::Lease> acquire(const model::PlanId& plan, int owner);
  base::Result<void> release(const storage::Lease& lease, int owner);
  [[nodiscard]] std::vector<storage::Lease> leases_of(int owner) const;
  /// Whatever a dead process held can be taken.
  void bury(int owner);

  /// From here on heads and epochs are not looked at.
  void trust_everybody() {
    tables_.with([](Tables& tables) { tables.fenced = false; });
  }
  base::Result<storage::Head> append(const storage::Append& append, model::Timestamp now,
                                     Topics& topics);
  base::Result<storage::CommandReceipt> send(const model::PlanId& plan, const std::string& key,
                                             const std::string& body);
  void ensure_cap(const std::string& scope, const storage::Caps& caps);
  [[nodiscard]] storage::Budgets::Room room(const std::vector<std::string>& scopes,
                                            const model::Cost& cost) const;

  /// All of it, as it is now.
  [[nodiscard]] Tables tables() const {
    return tables_.with([](const Tables& tables) { return tables; });
  }
  template <class F>
  auto read(F&& f) const {
    return tables_.with([&](const Tables& tables) { return f(tables); });
  }

 private:
  base::Guarded<Tables> tables_;
};

}  // namespace clever::sim
