#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/database_url.h"
#include "storage/engine.h"
#include "storage/engine_source.h"

namespace clever::storage {

/// The engines of a process, one per database, made by the composition root. A second cache would
/// open databases a second time.
///
/// Thread-safe. A database goes through these states, and has at most one engine at any time:
///
///   absent ─ the first caller ─▶ opening ─ success ─▶ open ─ the last holder lets go ─▶ closing
///     ▲                             │                                                     │
///     └────────── failure ──────────┴───────────────────── closed ────────────────────────┘
///
/// Who comes while it is opening gets the result of that opening, a failure too; who comes later
/// tries again. Who comes while it is closing waits until it is closed. Opening and closing hold no
/// lock: other databases do not wait for them.
///
/// An engine in memory is kept as long as the cache: with it the data would go. All others close
/// when their last holder lets go, on the thread that does. Engines may outlive the cache.
class EngineCache {
 public:
  /// The source must outlive the cache.
  explicit EngineCache(EngineSource& source);
  ~EngineCache();
  EngineCache(const EngineCache&) = delete;
  EngineCache& operator=(const EngineCache&) = delete;

  /// The engine of this database, opened and migrated. A caller whose own stop or deadline ends the
  /// opening ends it for himself alone: one of those who wait begins again. The deadline bounds the
  /// wait for others; an opening that this caller does himself ends by his stop.
  ///
  /// `cancelled` and `deadline_exceeded` as above; otherwise what the source says, `conflict` if
  /// the file was replaced by another while the old one is still open, and `unavailable` if it is
  /// replaced time and again while it is being opened. (A replaced file is known by its path: who
  /// opens the new one by another path is not warned.)
  [[nodiscard]] base::Result<std::shared_ptr<Engine>> open(
      const DatabaseUrl& url, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  class Slots;
  struct Opening;
  // Nothing: the opening came to no end that concerns others, begin again.
  using Outcome = std::optional<base::Result<std::shared_ptr<Engine>>>;

  Outcome lead(const DatabaseUrl& url, const std::string& identity, Opening& opening,
               const base::StopToken& stop, base::Deadline deadline);
  [[nodiscard]] bool is_still(const DatabaseUrl& url, const std::string& identity);

  EngineSource& source_;
  // Engines find it through a weak pointer when they close: it may be gone by then.
  const std::shared_ptr<Slots> slots_;
};

}  // namespace clever::storage
