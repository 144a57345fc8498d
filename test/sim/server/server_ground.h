#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/ulid.h"
#include "model/id.h"
#include "provider/registry.h"
#include "server/receipts.h"
#include "storage/engines.h"
#include "storage/inbox.h"
#include "storage/journal.h"
#include "storage/leases.h"
#include "storage/owner_lock.h"
#include "storage/sessions.h"
#include "support/silent_backend.h"
#include "support/temporary_directory.h"
#include "worker/job_queue.h"

namespace clever::sim {

/// What survives the servers: the database, their folder, what clients were told, and where notices
/// arrive. Used by one thread.
struct ServerGround {
  explicit ServerGround(std::uint64_t seed)
      : random(seed), ids(database.clock(), random), engine(database.open()) {}

  void violate(std::string what) { violations.push_back(std::move(what)); }

  storage::testing::TestDatabase database{storage::testing::EngineKind::kMemory};
  test::TemporaryDirectory folder;
  base::SeededRandom random;
  base::UlidGenerator ids;
  std::unique_ptr<storage::Engine> engine;
  /// The sessions that clients share.
  std::vector<storage::SessionId> sessions{};
  /// By the message's text: the plan that a client was told works on it.
  std::map<std::string, std::string> acknowledged{};
  std::size_t unknown = 0;
  /// How often each notice arrived.
  std::map<std::string, std::size_t> delivered{};
  /// The version in the settings file, and the last one that a client was told is in force.
  int settings = 0;
  int settings_told = 0;
  std::vector<std::string> violations{};
};

/// One server's process from its start to its end: the components of the product, on that ground.
struct ServerLife {
  explicit ServerLife(ServerGround& ground)
      : owner(
            storage::OwnerLock::acquire(ground.folder / "owners", model::OwnerId(ground.ids.next()))
                .value()),
        jobs(*ground.engine, ground.database.clock(), ground.random),
        receipts(ground.folder.path(), ground.database.clock()),
        registry(
            [](const provider::Endpoint&) { return std::make_shared<test::SilentBackend>(); }) {}

  const storage::OwnerLock owner;
  worker::JobQueue jobs;
  server::Receipts receipts;
  provider::ProviderRegistry registry;
  int settings_seen = 0;
};

/// Work of a server that a kill may end between any two steps.
class ServerTask {
 public:
  virtual ~ServerTask() = default;
  /// Does one step; false: it is over.
  virtual bool step() = 0;
};

}  // namespace clever::sim
