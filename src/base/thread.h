#pragma once
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/stop_token.h"

namespace clever::base {

/// A named thread with a StopToken; the destructor requests a stop and joins. For the program's few
/// long-lived threads (a database's writer, the network, the timers); other work goes to a
/// ThreadPool.
///
/// Declare it last in its class, so that it is destroyed first, while everything it uses exists.
class Thread {
 public:
  /// `name` shows in debuggers and explorer traces; the kernel keeps 15 characters.
  Thread(std::string name, std::move_only_function<void(StopToken)> body);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  void request_stop() { stop_.request_stop(); }
  /// Waits for the body to return; later calls do nothing. Not from two threads at once.
  void join();

 private:
  StopSource stop_;
  std::thread thread_;
  bool joined_ = false;
#if CLEVER_TEST_HOOKS
  bool explored_ = false;  // runs on a thread of the schedule explorer instead of thread_
#endif
};

}  // namespace clever::base
