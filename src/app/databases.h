#pragma once
#include "base/clock.h"
#include "base/lazy.h"
#include "service/databases.h"
#include "storage/database_source.h"
#include "storage/engine_cache.h"

namespace clever::app {

/// The databases of this process. Makes and opens nothing before the first request. Thread-safe.
class ProcessDatabases final : public service::Databases {
 public:
  /// The clock must outlive the engines.
  explicit ProcessDatabases(base::Clock& clock) : clock_(clock) {}

  [[nodiscard]] base::Result<storage::Inspection> inspect(const storage::DatabaseUrl& url,
                                                          const base::StopToken& stop) override;
  [[nodiscard]] base::Result<std::shared_ptr<storage::Engine>> open(
      const storage::DatabaseUrl& url, const storage::EngineOptions& options,
      const base::StopToken& stop) override;

 private:
  struct Engines {
    Engines(const storage::EngineOptions& options, base::Clock& clock)
        : source(options, clock), cache(source) {}
    storage::DatabaseSource source;
    storage::EngineCache cache;
  };

  base::Clock& clock_;
  base::Lazy<Engines> engines_;
};

}  // namespace clever::app
