#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/result.h"
#include "provider/backend.h"
#include "provider/provider_set.h"

namespace clever::provider {

/// Makes the backend of an endpoint. Called without any lock, possibly by several threads, and
/// possibly for an attempt whose result is dropped; must not use the network.
using BackendFactory = std::function<base::Result<std::shared_ptr<Backend>>(const Endpoint&)>;

/// The providers of a process: one object, owned by the composition root and passed to its users.
/// Its contents change; the object is never replaced, so no reference to it goes stale.
///
/// Readers take an immutable snapshot. A reconfiguration builds the next snapshot without a lock
/// and publishes it in one step: a reader sees a whole published snapshot, never a mixture, and
/// never an older one than before. Publishing assigns versions: of two concurrent reconfigurations
/// the one that publishes later has the higher version and wins, whichever began first. A call in
/// flight keeps the snapshot that it began with.
///
/// A provider with an unchanged endpoint keeps its ProviderRuntime, even when reconfigurations
/// race, so per-provider state survives.
///
/// Thread-safe; must outlive its readers.
class ProviderRegistry {
 public:
  explicit ProviderRegistry(BackendFactory factory);
  ProviderRegistry(const ProviderRegistry&) = delete;
  ProviderRegistry& operator=(const ProviderRegistry&) = delete;

  /// The present snapshot, never null. Takes a lock: use Reader for frequent reads.
  [[nodiscard]] std::shared_ptr<const ProviderSet> snapshot() const;

  /// Replaces all settings; returns the published snapshot. `invalid_argument` names the provider
  /// and the mistake; then nothing has changed.
  base::Result<std::shared_ptr<const ProviderSet>> reconfigure(const ProviderSettings& settings);

  /// A reader's cached snapshot, checked by one atomic load and fetched again only after a
  /// reconfiguration. Used by one thread at a time.
  class Reader {
   public:
    explicit Reader(const ProviderRegistry& registry)
        : registry_(&registry), set_(registry.snapshot()) {}

    /// The present snapshot; the reference is valid until the next call. Copy it to keep it.
    [[nodiscard]] const std::shared_ptr<const ProviderSet>& current() {
      if (registry_->version_.load() != set_->version()) [[unlikely]]
        set_ = registry_->snapshot();
      return set_;
    }

   private:
    const ProviderRegistry* registry_;
    std::shared_ptr<const ProviderSet> set_;
  };

 private:
  static constexpr std::size_t kCacheLine = 64;

  // Constant after construction.
  const BackendFactory factory_;
  base::Guarded<std::shared_ptr<const ProviderSet>> current_;
  // Publishes that current_ holds a set of this version: stored while current_ is locked, so that a
  // reader of the version finds that set or a later one. On its own cache line, because all readers
  // load it.
  alignas(kCacheLine) base::Atomic<std::uint64_t> version_{0};
};

}  // namespace clever::provider
