#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/atomic.h"
#include "index/code_index.h"

namespace clever::index::internal {

/// The edges of files that were asked for, strongest first: who looks around in a graph comes to
/// the same files again, and so do those who look at the same time. A place for each of so many
/// files; whoever is first keeps it for as long as the view lives. Owned by a view.
///
/// Thread-safe, without a lock: two who miss the same file at once both compute it.
class EdgeCache {
 public:
  /// So many of a file are kept.
  static constexpr std::size_t kKept = 64;
  using Edges = std::vector<Edge>;

  EdgeCache() = default;
  EdgeCache(const EdgeCache&) = delete;
  EdgeCache& operator=(const EdgeCache&) = delete;
  ~EdgeCache() {
    for (const Place& place : places_) (void)std::unique_ptr<const Known>(place.load());
  }

  /// Null if they are not known. Valid as long as the cache.
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

  // Publish what was found for a file; never changed once they point to something.
  mutable std::array<Place, kPlaces> places_;
};

}  // namespace clever::index::internal
