#pragma once
#include <optional>

#include "base/stop_token.h"
#include "base/thread.h"

namespace clever::app {

/// Turns Ctrl-C (SIGINT) and SIGTERM into a request to stop. A second one ends the process as ever.
///
/// Made by main() and asked on its thread, before there are other threads: they take over that
/// these signals are held back for the thread in here. Nothing changes before token() is called.
class Interruption {
 public:
  [[nodiscard]] base::StopToken token();

 private:
  base::StopSource stop_;
  std::optional<base::Thread> watcher_;
};

}  // namespace clever::app
