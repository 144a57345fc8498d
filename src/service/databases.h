#pragma once
#include <memory>

#include "base/result.h"
#include "base/stop_token.h"
#include "storage/database_url.h"
#include "storage/engine.h"
#include "storage/engine_options.h"
#include "storage/inspection.h"

namespace clever::service {

/// Where commands get their databases from: made by main(), replaced by tests. Thread-safe.
class Databases {
 public:
  virtual ~Databases() = default;

  /// Looks without creating, upgrading or keeping anything.
  [[nodiscard]] virtual base::Result<storage::Inspection> inspect(const storage::DatabaseUrl& url,
                                                                  const base::StopToken& stop) = 0;

  /// Creates what is missing. All openings of a process give the same options.
  [[nodiscard]] virtual base::Result<std::shared_ptr<storage::Engine>> open(
      const storage::DatabaseUrl& url, const storage::EngineOptions& options,
      const base::StopToken& stop) = 0;
};

}  // namespace clever::service
