#pragma once
#include <memory>

#include "base/clock.h"
#include "storage/database_url.h"
#include "storage/engine_options.h"

namespace clever::storage {

/// Opens and migrates a database of a PostgreSQL server. Needs libpq.so.5, which only this function
/// loads. `unavailable` if the library or the server cannot be reached, `permission_denied` for a
/// refused user, `not_found` for a database that does not exist, `conflict` for a schema newer than
/// this program's. The clock must outlive the engine.
[[nodiscard]] base::Result<std::unique_ptr<Engine>> open_postgres(const DatabaseUrl& url,
                                                                  const EngineOptions& options,
                                                                  base::Clock& clock,
                                                                  const base::StopToken& stop = {});

}  // namespace clever::storage
