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

/// The private objects of one plan, over objects that are borrowed from the project and from the
/// stores of plans above. Everything written goes into the store's own folder; what is borrowed is
/// only ever read. Removed whole, with its folder; nothing in it is ever collected.
///
/// put() keeps an object in memory until sync() has written it: all objects put so far by all
/// callers become one synced append to a log (callers that meet share it). A tree id may be named
/// in a transaction once sync() has returned after it was put. Each opened store appends to a log
/// file of its own, so two processes with one store open never disturb each other; a torn end of a
/// log is ignored when it is opened. What another process wrote after this one opened is found by
/// refresh().
///
/// Thread-safe. Reading names what is missing with `not_found`, and damage with `corruption`.
class ObjectStore {
 public:
  struct Options {
    /// Made if missing.
    std::filesystem::path folder;
    /// Git `objects` folders to read from (their own alternates included).
    std::vector<std::filesystem::path> borrowed{};
    /// Stores of plans above this one.
    std::vector<std::shared_ptr<ObjectStore>> parents{};
    /// Borrowed packs are hard-linked into the folder, so that the user's `git gc` cannot take them
    /// away; where that is impossible (another file system) they are read where they are.
    bool keep_packs = true;
    /// The same for loose objects, when the folder is made. Not for whoever borrows from what
    /// KeptObjects keeps.
    bool keep_loose = true;
  };
  static constexpr std::size_t kDefaultLimit = std::size_t{64} << 20U;

  [[nodiscard]] static base::Result<std::shared_ptr<ObjectStore>> open(Options options);
  virtual ~ObjectStore() = default;

  /// The id under which the object can be read at once; durable after the next sync().
  virtual base::Result<ObjectId> put(ObjectKind kind, std::string_view content) = 0;
  /// Everything put before this call, by whomever, is on the disk when it returns.
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
  /// In git's order. The entries of one folder.
  [[nodiscard]] virtual base::Result<std::vector<TreeEntry>> tree(const ObjectId& id) = 0;
  /// `entries` in any order; a name twice is `invalid_argument`.
  virtual base::Result<ObjectId> put_tree(std::vector<TreeEntry> entries) = 0;

  /// Sees what others wrote into the folder meanwhile.
  virtual base::Result<void> refresh() = 0;
  [[nodiscard]] virtual const std::filesystem::path& folder() const = 0;

  [[nodiscard]] base::Result<std::string> blob(const ObjectId& id,
                                               std::size_t limit = kDefaultLimit) {
    return read(id, ObjectKind::kBlob, limit);
  }
};

/// The id that content would have, without storing it.
[[nodiscard]] ObjectId object_id_of(ObjectKind kind, std::string_view content);
/// Of the tree without entries.
[[nodiscard]] ObjectId empty_tree();

}  // namespace clever::git
