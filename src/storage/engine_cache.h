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

/// The engines of a process, one per database. The composition root makes one cache: a second one
/// would open databases a second time.
///
/// Thread-safe. A database goes through these states, and has at most one engine at any time:
///
///   absent ─ the first caller ─▶ opening ─ success ─▶ open ─ the last holder lets go ─▶ closing
///     ▲                             │                                                     │
///     └────────── failure ──────────┴───────────────────── closed ────────────────────────┘
///
/// A caller that comes while it is opening gets the result of that opening, also a failure; later
/// callers try again. A caller that comes while it is closing waits until it is closed. Opening and
/// closing hold no lock, so other databases do not wait for them.
///
/// An engine in memory lives as long as the cache, because its data would go with it. Other engines
/// close on the thread of their last holder. Engines may outlive the cache.
class EngineCache {
 public:
  /// The source must outlive the cache.
  explicit EngineCache(EngineSource& source);
  ~EngineCache();
  EngineCache(const EngineCache&) = delete;
  EngineCache& operator=(const EngineCache&) = delete;

  /// Returns the engine of this database, opened and migrated. If a leader's stop or deadline ends
  /// the opening, only the leader fails: a waiting caller starts again. The deadline bounds the
  /// wait for others; the caller's stop ends its own opening.
  ///
  /// `cancelled` and `deadline_exceeded` as above; otherwise the source's error, `conflict` if the
  /// file was replaced by another while the old one is still open, and `unavailable` if it is
  /// replaced repeatedly while it is being opened. (The path identifies a replaced file: opening
  /// the new file by another path gives no warning.)
  [[nodiscard]] base::Result<std::shared_ptr<Engine>> open(
      const DatabaseUrl& url, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  class Slots;
  struct Opening;
  // Nothing: the opening ended without a result for others; begin again.
  using Outcome = std::optional<base::Result<std::shared_ptr<Engine>>>;

  Outcome lead(const DatabaseUrl& url, const std::string& identity, Opening& opening,
               const base::StopToken& stop, base::Deadline deadline);
  [[nodiscard]] bool is_still(const DatabaseUrl& url, const std::string& identity);

  EngineSource& source_;
  // Engines find it through a weak pointer when they close, because it may be destroyed by then.
  const std::shared_ptr<Slots> slots_;
};

}  // namespace clever::storage
