#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/clock.h"
#include "crash/inspect.h"
#include "crash/report.h"
#include "io/file_descriptor.h"
#include "support/child_process.h"

namespace clever::storage::crash {

/// Processes that report through one pipe until they end or are killed. Used by one thread, which
/// must be the only one of its process when it makes them.
class Victims {
 public:
  using Body = std::function<void(int process, const Tell&)>;

  Victims(int count, const Body& body);

  /// Until so many reports have come, that time is over, or all have ended.
  void listen(std::size_t reports, base::Duration patience);
  void kill(std::size_t process);
  void kill_all();
  /// Waits for all to end; true if one was killed, by itself or by others.
  bool wait();
  /// All there ever were, once all have ended.
  [[nodiscard]] std::vector<Report> take_reports();

  static constexpr base::Duration kForever = base::Duration::max();

 private:
  void drain();
  bool receive();

  io::FileDescriptor pipe_;
  std::string received_;
  std::vector<std::unique_ptr<test::ChildProcess>> children_;
  bool killed_ = false;
};

/// The inspection by a process of its own: this one keeps no thread, no file and no crash point.
[[nodiscard]] Faults inspect_apart(const Place& place, const std::vector<Report>& reports, int run,
                                   std::span<const Migration> migrations = tables());

}  // namespace clever::storage::crash
