#pragma once
#include "base/clock.h"
#include "storage/engine_options.h"
#include "storage/engine_source.h"

namespace clever::storage {

/// Opens real databases: SQLite files, SQLite in memory, PostgreSQL servers. Thread-safe. The clock
/// must outlive the engines.
///
/// Device and inode identify a file, so it is created, empty and 0600, with its folders (0700),
/// before it is opened. A file with a second hard link is refused as `invalid_argument`: SQLite
/// names the log after the path, so two paths would give one file two logs.
class DatabaseSource final : public EngineSource {
 public:
  DatabaseSource(EngineOptions options, base::Clock& clock) : options_(options), clock_(clock) {}

  [[nodiscard]] base::Result<std::string> identify(const DatabaseUrl& url) override;
  [[nodiscard]] base::Result<std::unique_ptr<Engine>> open(const DatabaseUrl& url,
                                                           const base::StopToken& stop) override;

 private:
  const EngineOptions options_;
  base::Clock& clock_;
};

}  // namespace clever::storage
