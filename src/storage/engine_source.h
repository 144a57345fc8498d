#pragma once
#include <memory>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "storage/database_url.h"
#include "storage/engine.h"

namespace clever::storage {

/// Opens engines for an EngineCache: real databases, or a test's. Thread-safe; called without any
/// lock.
class EngineSource {
 public:
  virtual ~EngineSource() = default;

  /// Returns the database's identity, which is the same for all its URLs. May create the database,
  /// empty, to give it one.
  [[nodiscard]] virtual base::Result<std::string> identify(const DatabaseUrl& url) = 0;

  /// Opens the database and brings its schema up to date. Called for an identity only while no
  /// engine of it is open.
  [[nodiscard]] virtual base::Result<std::unique_ptr<Engine>> open(const DatabaseUrl& url,
                                                                   const base::StopToken& stop) = 0;
};

}  // namespace clever::storage
