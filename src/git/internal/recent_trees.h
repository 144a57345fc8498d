#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "base/guarded.h"
#include "git/object_id.h"

namespace clever::git::internal {

/// The most recently read trees, since look-ups in a project come in groups. Few and small, because
/// a process has thousands of stores. Thread-safe.
class RecentTrees {
 public:
  using Content = std::shared_ptr<const std::string>;

  /// Null if it is not cached.
  [[nodiscard]] Content find(const ObjectId& id) const;
  void keep(const ObjectId& id, const std::string& content);

 private:
  static constexpr std::size_t kMost = 8;
  static constexpr std::size_t kLargest = std::size_t{64} << 10U;

  // Guarded: the newest first.
  base::Guarded<std::deque<std::pair<ObjectId, Content>>> trees_;
};

}  // namespace clever::git::internal
