#pragma once
// Report #7120: the changesets of one plan's execution context, as reported, as proposed, and a
// correct one. A changeset is known by its number; the store and the context's list are on disk.

#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "reports/environment.h"
#include "reports/python.h"

namespace clever::reports::changeset {

enum class Recorded : std::uint8_t { kDone, kRefused, kIndexError };

/// A stored change and its number within its changeset.
struct Entry {
  int change = 0;
  int number = 0;
};

// What is read back from the disk, in every model alike.
[[nodiscard]] std::vector<Entry> entries(const Disk& disk, int changeset);
/// Changesets that the store began and no context lists.
[[nodiscard]] int orphans(const Disk& disk);

/// start_changeset() begins one in the store and then appends it; record_change() reads "[-1]".
class Reported {
 public:
  using Handle = int;
  explicit Reported(Disk& disk) : disk_(disk) {}

  Handle start();
  /// The handle is what the caller believes it records into; the code never asks.
  Recorded record(Handle /*mine*/, int change) { return record_into_latest(change); }
  /// A tool of the plan records, whoever started the changeset.
  Recorded record_into_latest(int change);
  [[nodiscard]] std::vector<Entry> entries(Handle changeset) const {
    return changeset::entries(disk_, changeset);
  }
  [[nodiscard]] int orphans() const { return changeset::orphans(disk_); }

 private:
  Disk& disk_;
  python::List<int> started_;
};

/// One lock over both.
class Proposed {
 public:
  using Handle = int;
  explicit Proposed(Disk& disk) : inner_(disk) {}

  Handle start() {
    const base::MutexLock lock(mutex_);
    return inner_.start();
  }
  Recorded record(Handle /*mine*/, int change) { return record_into_latest(change); }
  Recorded record_into_latest(int change) {
    const base::MutexLock lock(mutex_);
    return inner_.record_into_latest(change);
  }
  [[nodiscard]] std::vector<Entry> entries(Handle changeset) const {
    return inner_.entries(changeset);
  }
  [[nodiscard]] int orphans() const { return inner_.orphans(); }

 private:
  base::Mutex mutex_{base::LockRank::kComponent};
  Reported inner_;
};

/// A changeset belongs to who started it, and begins in one write.
class Control {
 public:
  using Handle = int;
  explicit Control(Disk& disk) : disk_(disk) {}

  Handle start();
  Recorded record(Handle mine, int change);
  /// There is no latest one to record into.
  Recorded record_into_latest(int /*change*/) { return Recorded::kRefused; }
  [[nodiscard]] std::vector<Entry> entries(Handle changeset) const {
    return changeset::entries(disk_, changeset);
  }
  [[nodiscard]] int orphans() const { return changeset::orphans(disk_); }

 private:
  Disk& disk_;
};

}  // namespace clever::reports::changeset
