#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/atomic.h"
#include "index/code_index.h"

namespace clever::index::internal {

/// Caches the edges of requested files, strongest first, because walks through a graph return to
/// the same files, as do concurrent walks. A fixed number of slots; the first file in a slot keeps
/// it for the life of the view. Owned by a view.
///
/// Thread-safe, without a lock: two threads that miss the same file both compute it.
class EdgeCache {
 public:
  /// The most edges kept per file.
  static constexpr std::size_t kKept = 64;
  using Edges = std::vector<Edge>;

  EdgeCache() = default;
  EdgeCache(const EdgeCache&) = delete;
  EdgeCache& operator=(const EdgeCache&) = delete;
  ~EdgeCache() {
    for (const Place& place : places_) (void)std::unique_ptr<const Known>(place.load());
  }

  /// Null if they are unknown. Valid as long as the cache.
  [[nodiscard]] const Edges* find(FileNumber file) const {
    const Known* known = place(file).load();
    return known != nullptr && known->file == file ? &known->edges : nullptr;
  }

  void keep(FileNumber file, Edges edges) const {
    const Known* nobody = nullptr;
    if (place(file).load() != nullptr) return;
    auto known = std::make_unique<const Known>(Known{file, std::move(edges)});
    if (place(file).compare_exchange(nobody, known.get())) (void)known.release();
  }

 private:
  static constexpr std::size_t kPlaces = 4096;
  struct Known {
    FileNumber file;
    Edges edges;
  };
  using Place = base::Atomic<const Known*>;

  Place& place(FileNumber file) const { return places_[file % kPlaces]; }

  // Publish the edges of a file; never changed once set.
  mutable std::array<Place, kPlaces> places_;
};

}  // namespace clever::index::internal
