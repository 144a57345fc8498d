#include "app/databases.h"

namespace clever::app {

base::Result<storage::Inspection> ProcessDatabases::inspect(const storage::DatabaseUrl& url,
                                                            const base::StopToken& stop) {
  return storage::inspect(url, clock_, stop);
}

base::Result<std::shared_ptr<storage::Engine>> ProcessDatabases::open(
    const storage::DatabaseUrl& url, const storage::EngineOptions& options,
    const base::StopToken& stop) {
  const auto make = [&] { return std::make_unique<Engines>(options, clock_); };
  return engines_.get(make).cache.open(url, stop);
}

}  // namespace clever::app
