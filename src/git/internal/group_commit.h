#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/deadline.h"
#include "base/guarded.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/internal/stored_object.h"

namespace clever::git::internal {

/// The location of an object in a log. A value.
struct LogPlace {
  ObjectFacts facts;
  std::uint64_t offset = 0;
  std::uint32_t log = 0;  // its number in the store's list
  /// Written by this opened store, and so known to be on disk.
  bool own = false;
};

using Batch = std::vector<std::shared_ptr<const StoredObject>>;

/// The objects of one opened store: those that wait in memory to be written, and the locations of
/// written ones. sync() is a group commit: a caller that finds no write in progress writes
/// everything that waits; later callers wait for that write, and for the next one if theirs was not
/// included.
///
/// An object can be found from add() on, without a gap. After a failed write it keeps waiting, and
/// can still be read.
///
/// Thread-safe. Calls the writer without a lock, from one thread at a time.
class GroupCommit {
 public:
  /// Writes a batch durably: returns the location of each object, in order.
  using Writer = std::function<base::Result<std::vector<LogPlace>>(const Batch&)>;

  /// sync() calls `writer` on its caller's thread.
  explicit GroupCommit(Writer writer) : writer_(std::move(writer)) {}

  using Found = std::variant<std::shared_ptr<const StoredObject>, LogPlace>;
  [[nodiscard]] std::optional<Found> find(const ObjectId& id) const;
  /// Whether adding it would change nothing: it waits already, or this store has written it.
  [[nodiscard]] bool is_kept(const ObjectId& id) const;

  void add(std::shared_ptr<const StoredObject> object);
  /// Adds objects of a log found on disk.
  void add_places(const std::vector<LogPlace>& places);

  /// When it returns, everything added before the call is written. A failed write is reported to
  /// the callers whose objects were all part of it.
  base::Result<void> sync(const base::StopToken& stop, base::Deadline deadline);

 private:
  struct Objects {
    std::unordered_map<ObjectId, Found> all;
    Batch waiting;
    /// How many were ever put into `waiting`, which is the number of the last one.
    std::uint64_t added = 0;
  };
  struct Turn {
    bool taken = false;
    /// All objects up to this number are written.
    std::uint64_t written = 0;
    /// The last failed write: the number up to which it tried, and why. Kept until the next write
    /// ends.
    std::uint64_t failed = 0;
    std::uint64_t failures = 0;
    std::optional<base::Error> error{};
  };
  struct Work {
    Batch batch;
    std::uint64_t last = 0;
  };

  [[nodiscard]] Work take();
  void publish(const std::vector<LogPlace>& places);
  void put_back(Batch batch);
  base::Result<void> write_in_turn();

  // Constant after construction.
  const Writer writer_;
  // Guarded. Never nested.
  base::Guarded<Objects> objects_;
  base::Monitor<Turn> turn_;
};

}  // namespace clever::git::internal
