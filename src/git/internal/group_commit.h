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

/// Where an object lies in a log. A value.
struct LogPlace {
  ObjectFacts facts;
  std::uint64_t offset = 0;
  std::uint32_t log = 0;  // its number in the store's list
  /// Written by this opened store, hence known to be on the disk.
  bool own = false;
};

using Batch = std::vector<std::shared_ptr<const StoredObject>>;

/// The objects of one opened store: those that wait in memory to be written, and where those are
/// that were. sync() is a group commit: whoever finds nobody writing takes everything that waits
/// and writes it in one go; those who come meanwhile wait for it, and for the next if theirs was
/// not in it.
///
/// An object is found from add() on, without a gap. One that was not written because writing failed
/// waits on, and can still be read.
///
/// Thread-safe. The writer is called without a lock, by one thread at a time.
class GroupCommit {
 public:
  /// Writes a batch so that it survives a loss of power: where each object of it is, in order.
  using Writer = std::function<base::Result<std::vector<LogPlace>>(const Batch&)>;

  /// `writer` is called by whoever calls sync().
  explicit GroupCommit(Writer writer) : writer_(std::move(writer)) {}

  using Found = std::variant<std::shared_ptr<const StoredObject>, LogPlace>;
  [[nodiscard]] std::optional<Found> find(const ObjectId& id) const;
  /// Whether adding it would change nothing: it waits already, or was written by this store.
  [[nodiscard]] bool is_kept(const ObjectId& id) const;

  void add(std::shared_ptr<const StoredObject> object);
  /// What a log holds that was found on the disk.
  void add_places(const std::vector<LogPlace>& places);

  /// Everything added before this call is written when it returns. A failed write is told to those
  /// whose objects were all tried in it.
  base::Result<void> sync(const base::StopToken& stop, base::Deadline deadline);

 private:
  struct Objects {
    std::unordered_map<ObjectId, Found> all;
    Batch waiting;
    /// How many were ever put into `waiting`: the number of the last one.
    std::uint64_t added = 0;
  };
  struct Turn {
    bool taken = false;
    /// All objects up to this number are written.
    std::uint64_t written = 0;
    /// The last write that failed: the objects up to which it tried, and why. Kept until the next
    /// one ends.
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
