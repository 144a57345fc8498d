#pragma once
#include <csignal>

namespace clever::io {

/// While it lives, writing to a pipe without a reader yields EPIPE in this thread and nothing else:
/// the SIGPIPE that comes with it is held back and taken away. Keeps whatever was set before, and a
/// SIGPIPE that was already pending.
class NoPipeSignal {
 public:
  NoPipeSignal();
  ~NoPipeSignal();
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace clever::io
