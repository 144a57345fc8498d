#pragma once
// How the explorer chooses. One Chooser serves one schedule; a Search yields one Chooser after the
// other. Both are deterministic functions of their seed or path.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explore.h"

namespace clever::explore {

/// What may happen next. The list given to a Chooser begins with the running thread if it can go
/// on, then come the other ready threads, then those that would wake by their time running out.
struct Candidate {
  unsigned thread;
  bool time_out;
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  /// An index into `candidates`. `running_can_go_on`: candidates[0] is the running thread, and
  /// taking another one preempts it.
  virtual std::size_t next(const std::vector<Candidate>& candidates, bool running_can_go_on) = 0;
  /// Which of `count` waiters a notify_one reaches.
  virtual std::size_t waiter(std::size_t count) = 0;
  /// The thread asked to let others go first.
  virtual void yielded(unsigned /*thread*/) {}
  /// The name that replays this schedule.
  [[nodiscard]] virtual std::string name() const = 0;
};

class Search {
 public:
  virtual ~Search() = default;
  /// The next schedule, or nullptr when there is none left. `longest`: the most choices a
  /// schedule has asked for so far.
  virtual std::unique_ptr<Chooser> next(std::size_t longest) = 0;
  /// True once an exhaustive search has seen everything.
  [[nodiscard]] virtual bool complete() const { return false; }
};

[[nodiscard]] std::unique_ptr<Search> make_search(const Options& options);
/// The one schedule of that name, or nullptr if the name is malformed.
[[nodiscard]] std::unique_ptr<Search> make_replay(std::string_view name);

}  // namespace clever::explore
