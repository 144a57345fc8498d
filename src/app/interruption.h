#pragma once
#include <functional>
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
  /// Stops at the first signal.
  [[nodiscard]] base::StopToken token();
  /// Requested by the second signal. Call it before the first signal, or the second kills the
  /// process.
  [[nodiscard]] base::StopToken insistence();
  /// SIGHUP ends nothing from now on: `note` is called for each, on a thread of its own. Once, and
  /// before the others: their thread must not take it.
  void on_hangup(std::function<void()> note);

 private:
  void start();

  base::StopSource first_;
  base::StopSource second_;
  base::Guarded<bool> two_{std::in_place, false};
  std::optional<base::Thread> watcher_;
  std::optional<base::Thread> hangups_;
};

}  // namespace clever::app
