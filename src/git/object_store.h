#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_id.h"
#include "git/tree_entry.h"

namespace clever::git {

/// The private objects of one plan, on top of objects borrowed from the project and from the stores
/// of plans above. All writes go into the store's own folder; borrowed objects are read-only. It is
/// removed as a whole, with its folder; nothing in it is ever garbage-collected.
///
/// put() keeps an object in memory until sync() writes it: one synced append to a log writes
/// everything put so far by all callers (concurrent callers share it). A transaction may name a
/// tree id once a sync() after its put() has returned. Each opened store appends to its own log
/// file, so two processes with one store open never disturb each other; opening ignores a torn end
/// of a log. refresh() finds what another process wrote later.
///
/// Thread-safe. Reads report missing objects with `not_found`, and damage with `corruption`.
class ObjectStore {
 public:
  struct Options {
    /// Created if missing.
    std::filesystem::path folder;
    /// Git `objects` folders to read from (and their alternates).
    std::vector<std::filesystem::path> borrowed{};
    /// Stores of plans above this one.
    std::vector<std::shared_ptr<ObjectStore>> parents{};
    /// Hard-links borrowed packs into the folder, so that the user's `git gc` cannot remove them;
    /// where that is impossible (another file system) they are read in place.
    bool keep_packs = true;
    /// The same for loose objects, when the folder is created. Not for stores that borrow from
    /// KeptObjects.
    bool keep_loose = true;
  };
  static constexpr std::size_t kDefaultLimit = std::size_t{64} << 20U;

  [[nodiscard]] static base::Result<std::shared_ptr<ObjectStore>> open(Options options);
  virtual ~ObjectStore() = default;

  /// Returns the id, under which the object can be read at once; durable after the next sync().
  virtual base::Result<ObjectId> put(ObjectKind kind, std::string_view content) = 0;
  /// When it returns, everything put before the call, by any caller, is on disk.
  virtual base::Result<void> sync(const base::StopToken& stop = {},
                                  base::Deadline deadline = base::Deadline::never()) = 0;

  [[nodiscard]] virtual base::Result<bool> contains(const ObjectId& id) = 0;
  struct Header {
    ObjectKind kind;
    std::uint64_t size;
  };
  [[nodiscard]] virtual base::Result<Header> header(const ObjectId& id) = 0;
  /// `resource_exhausted` for more than `limit` bytes, `invalid_argument` for another kind.
  [[nodiscard]] virtual base::Result<std::string> read(const ObjectId& id, ObjectKind kind,
                                                       std::size_t limit) = 0;
  /// The entries of one folder, in git's order.
  [[nodiscard]] virtual base::Result<std::vector<TreeEntry>> tree(const ObjectId& id) = 0;
  /// `entries` in any order; a duplicate name is `invalid_argument`.
  virtual base::Result<ObjectId> put_tree(std::vector<TreeEntry> entries) = 0;

  /// Reads what other processes wrote into the folder meanwhile.
  virtual base::Result<void> refresh() = 0;
  [[nodiscard]] virtual const std::filesystem::path& folder() const = 0;

  [[nodiscard]] base::Result<std::string> blob(const ObjectId& id,
                                               std::size_t limit = kDefaultLimit) {
    return read(id, ObjectKind::kBlob, limit);
  }
};

/// The id of a content, without storing it.
[[nodiscard]] ObjectId object_id_of(ObjectKind kind, std::string_view content);
/// The id of the tree without entries.
[[nodiscard]] ObjectId empty_tree();

}  // namespace clever::git
