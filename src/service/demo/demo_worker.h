#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/thread.h"
#include "io/process.h"
#include "service/demo/demo_copy.h"

namespace clever::service {

/// This program at work in another process, for as long as this lives: the destructor kills it.
///
/// Used by one thread. The copy must outlive it.
class DemoWorker {
 public:
  DemoWorker(const DemoCopy& copy, std::vector<std::string> arguments,
             std::filesystem::path number_file = {});

  /// SIGKILL, and waits until nothing of it is left.
  void kill();
  /// How it ended by itself. `unavailable` says how it failed; `cancelled`.
  base::Result<io::ProcessResult> wait(const base::StopToken& stop);
  [[nodiscard]] bool has_ended() const;
  /// Asked for when it ends, however: ends what waits for its next event.
  [[nodiscard]] base::StopToken ended() const { return ended_.token(); }

 private:
  using Ended = std::optional<base::Result<io::ProcessResult>>;
  base::Monitor<Ended> result_;
  base::StopSource ended_;
  // Last: uses those above.
  base::Thread thread_;
};

}  // namespace clever::service
