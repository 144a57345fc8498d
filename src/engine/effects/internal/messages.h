#pragma once
#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "base/sha256.h"
#include "engine/plan_store.h"
#include "model/message.h"

namespace clever::engine::internal {

/// The words behind the hashes that plans keep, with the last read ones in memory: a turn asks for
/// what the turn before asked for, and two messages more.
///
/// Thread-safe; reading blocks. The store must outlive it.
class Messages {
 public:
  using Loaded = std::shared_ptr<const model::Message>;

  /// Keeps at most so many bytes of JSON.
  Messages(PlanStore& store, std::size_t limit) : store_(store), limit_(limit) {}

  /// In the order asked for. `not_found`, `corruption`.
  [[nodiscard]] base::Result<std::vector<Loaded>> load(
      const std::vector<base::Sha256Digest>& hashes);
  [[nodiscard]] base::Result<Loaded> load(const base::Sha256Digest& hash);

 private:
  struct Entry {
    base::Sha256Digest hash{};
    Loaded message{};
    std::size_t bytes = 0;
  };
  struct Kept {
    /// The last used one first.
    std::list<Entry> entries{};
    std::unordered_map<base::Sha256Digest, std::list<Entry>::iterator> by_hash{};
    std::size_t bytes = 0;
  };
  [[nodiscard]] std::vector<Loaded> find(const std::vector<base::Sha256Digest>& hashes);
  void keep(std::vector<Entry> entries);

  PlanStore& store_;
  const std::size_t limit_;
  base::Guarded<Kept> kept_;
};

}  // namespace clever::engine::internal
