#include "app/databases.h"

namespace clever::app {

base::Result<storage::Inspection> ProcessDatabases::inspect(const storage::DatabaseUrl& url,
                                                            const base::StopToken& stop) {
  return storage::inspect(url, clock_, stop);
}

base::Result<std::shared_ptr<storage::Engine>> ProcessDatabases::open(
    const storage::DatabaseUrl& url, const storage::EngineOptions& options,
    const base::StopToken& stop) {
  if (!source_) source_.emplace(options, clock_);
  if (!cache_) cache_.emplace(*source_);
  return cache_->open(url, stop);
}

}  // namespace clever::app
