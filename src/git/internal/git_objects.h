#pragma once
#include <git2.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "git/object_id.h"
#include "git/tree_entry.h"

namespace clever::git::internal {

/// Reads git's own `objects` folders, loose objects and packs, through libgit2.
///
/// Thread-safe: each call uses its own handle, since libgit2 lets only one thread at a time read
/// through a handle. Keeps at most kKept idle handles.
class GitObjects {
 public:
  explicit GitObjects(std::vector<std::filesystem::path> folders);

  struct Header {
    ObjectKind kind;
    std::uint64_t size;
  };
  /// `kLookAgain` also finds packs that are newer than the handle.
  enum class Lookup : std::uint8_t { kAsKnown, kLookAgain };
  /// Nothing if the object does not exist; `corruption` if it cannot be read.
  [[nodiscard]] base::Result<std::optional<Header>> header(const ObjectId& id, Lookup lookup);
  [[nodiscard]] base::Result<std::string> read(const ObjectId& id);

  /// Handles made from now on see the folders' present content.
  void forget();

 private:
  static constexpr std::size_t kKept = 4;
  struct Close {
    void operator()(git_odb* handle) const noexcept { git_odb_free(handle); }
  };
  using Handle = std::unique_ptr<git_odb, Close>;
  struct Rest {
    std::vector<Handle> handles;
    std::uint64_t generation = 0;
  };
  class Lease;

  [[nodiscard]] base::Result<Handle> open() const;

  // Constant after construction.
  const std::vector<std::filesystem::path> folders_;
  // Guarded.
  base::Guarded<Rest> rest_;
};

}  // namespace clever::git::internal
