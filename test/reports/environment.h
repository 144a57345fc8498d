#pragma once
// What the models run in: work that takes a while, input that arrives when somebody else is done,
// and a disk that survives a crash.

#include <functional>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "explore/explore.h"

namespace clever::reports {

/// What building a registry, an engine or a container costs: hashing for some tens of microseconds,
/// letting others run now and then, as an interpreter does around each read of a file. Free under
/// the explorer, which needs no luck to stop a thread in the middle.
void construction_work();

/// Input that has not arrived yet: wait() returns after open(). Only under the explorer. It may be
/// waited for under a lock, as badly written code does; the lock order does not forbid that.
class Gate {
 public:
  void wait();
  void open();

 private:
  explore::Racy<bool> open_{false};
};

/// One line of a store.
struct Record {
  std::string kind;
  int owner = 0;
  int value = 0;
  int number = 0;
  bool operator==(const Record&) const = default;
};

/// What survives the process. One transact() is written whole or not at all.
///
/// Thread-safe.
class Disk {
 public:
  /// Changes the records in one step. False if the process has crashed: nothing was written.
  bool transact(const std::function<void(std::vector<Record>&)>& change);
  bool write(Record record);
  [[nodiscard]] std::vector<Record> records() const;
  [[nodiscard]] std::size_t count(const std::string& kind, int owner) const;

  /// From here on the process is gone: nothing is written and no call has returned.
  void crash();
  void restart();
  [[nodiscard]] bool alive() const;

 private:
  struct State {
    std::vector<Record> records;
    bool crashed = false;
  };
  base::Guarded<State> state_;
};

}  // namespace clever::reports
