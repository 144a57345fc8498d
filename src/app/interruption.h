#pragma once
#include <optional>

#include "base/guarded.h"
#include "base/stop_token.h"
#include "base/thread.h"

namespace clever::app {

/// Turns Ctrl-C (SIGINT) and SIGTERM into requests to stop. First signal: token(). Second:
/// insistence(), if requested. A third kills the process.
///
/// Made by main() and asked on its thread, before there are other threads: they take over that
/// these signals are held back for the thread in here. Nothing changes before token() or
/// insistence() is called.
class Interruption {
 public:
  /// Of the first signal.
  [[nodiscard]] base::StopToken token();
  /// Requested by the second signal. Call it before the first signal, or the second kills the
  /// process.
  [[nodiscard]] base::StopToken insistence();

 private:
  void start();

  base::StopSource first_;
  base::StopSource second_;
  base::Guarded<bool> two_{std::in_place, false};
  std::optional<base::Thread> watcher_;
};

}  // namespace clever::app
