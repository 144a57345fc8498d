#pragma once
#include <csignal>

namespace clever::io {

/// While it lives, writing to a pipe without a reader yields only EPIPE in this thread: the SIGPIPE
/// is blocked and discarded. Keeps earlier settings, and a SIGPIPE that was already pending.
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
