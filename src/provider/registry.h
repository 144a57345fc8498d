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

/// Makes what talks to an endpoint. Called without any lock, possibly by several threads and for
/// an attempt whose outcome is dropped; must not do I/O over the network.
using BackendFactory = std::function<base::Result<std::shared_ptr<Backend>>(const Endpoint&)>;

/// The providers of a process: one object, owned by the composition root, handed to whoever needs
/// it. Its contents change; itself it is never replaced, so nobody can hold a dead one.
///
/// Readers take an immutable snapshot. A reconfiguration builds the next snapshot without a lock
/// and publishes it in one step: a reader sees a whole published snapshot, never a mixture, and
/// never an older one than it has seen. Versions are given at publishing: of two concurrent
/// reconfigurations the one that publishes later has the higher version and is what everybody sees,
/// whichever began first. A call in flight keeps the snapshot that it began with.
///
/// A provider whose endpoint did not change keeps its ProviderRuntime, also when reconfigurations
/// race: state that is kept about it survives.
///
/// Thread-safe; must outlive its readers.
class ProviderRegistry {
 public:
  explicit ProviderRegistry(BackendFactory factory);
  ProviderRegistry(const ProviderRegistry&) = delete;
  ProviderRegistry& operator=(const ProviderRegistry&) = delete;

  /// The present snapshot, never null. Takes a lock: for reading often there is Reader.
  [[nodiscard]] std::shared_ptr<const ProviderSet> snapshot() const;

  /// Replaces all settings; returns the snapshot that was published. `invalid_argument` names the
  /// provider and what is wrong, and nothing has changed then.
  base::Result<std::shared_ptr<const ProviderSet>> reconfigure(const ProviderSettings& settings);

  /// A holder's own copy of the snapshot, checked by one atomic load and fetched again only after a
  /// reconfiguration. Used by one thread at a time.
  class Reader {
   public:
    explicit Reader(const ProviderRegistry& registry)
        : registry_(&registry), set_(registry.snapshot()) {}

    /// The present snapshot; the reference holds until the next call. Copy it to keep it.
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
  // Publishes that current_ holds a set of this version: stored while current_ is locked, so that
  // who sees it finds that set or a later one. On a line of its own: all readers look at it.
  alignas(kCacheLine) base::Atomic<std::uint64_t> version_{0};
};

}  // namespace clever::provider
