#pragma once
#include <memory>

#include "base/clock.h"
#include "storage/database_url.h"
#include "storage/engine_options.h"

namespace clever::storage {

/// Opens and migrates a SQLite database: a file, or one in memory that lives as long as the engine.
///
/// A missing file is created (folders too, 0700), opened, switched to write-ahead logging and
/// migrated under a lock between processes (`FILE-lock`), so that first runs may race.
/// `permission_denied` for a file that cannot be written, `corruption` for a file that is not a
/// database, `conflict` for a schema newer than this program's, `cancelled` on a stop. The clock
/// must outlive the engine.
[[nodiscard]] base::Result<std::unique_ptr<Engine>> open_sqlite(const DatabaseUrl& url,
                                                                const EngineOptions& options,
                                                                base::Clock& clock,
                                                                const base::StopToken& stop = {});

}  // namespace clever::storage
