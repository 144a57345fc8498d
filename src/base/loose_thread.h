#pragma once
#include <functional>
#include <string>
#include <thread>

namespace clever::base {

/// A thread for work that may never return, which its owner can abandon: the work must own
/// everything it uses. For everything else use Thread and ThreadPool, which wait.
///
/// Owned by one thread at a time. The destructor joins unless it was let go.
class LooseThread {
 public:
  /// `name` shows in debuggers and explorer traces; the kernel keeps 15 characters. Throws
  /// std::system_error if the system has no thread left.
  LooseThread(std::string name, std::move_only_function<void()> body);
  ~LooseThread();
  LooseThread(const LooseThread&) = delete;
  LooseThread& operator=(const LooseThread&) = delete;

  /// Detaches it: the destructor no longer joins.
  void let_go();

 private:
  std::thread thread_;
  bool is_let_go_ = false;
#if CLEVER_TEST_HOOKS
  bool explored_ = false;  // runs on a thread of the schedule explorer instead of thread_
#endif
};

}  // namespace clever::base
