#pragma once
#include <chrono>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/thread.h"
#include "io/process.h"

namespace clever::engine::crash {

/// Ends of a process that are longer in coming are as good as none.
inline constexpr std::chrono::seconds kPatience{120};

/// A process that may be killed while it works.
class Victim {
 public:
  explicit Victim(io::ProcessOptions options)
      : thread_("victim",
                [this, options = std::move(options)](const base::StopToken& stop) mutable {
                  options.stop = stop;
                  auto result = io::run_process(options);
                  ended_.update([&](Ended& ended) { ended = std::move(result); });
                }) {}

  /// Lets it work for a while; true if it ended by itself meanwhile.
  bool work(std::chrono::microseconds time) {
    return ended_
        .wait({}, base::Deadline::after(clock_, time),
              [](const Ended& ended) { return ended.has_value(); })
        .ok();
  }
  /// SIGKILL to it and all that it started; waits until they are gone.
  void kill() {
    thread_.request_stop();
    thread_.join();
  }
  /// Its end by itself.
  io::ProcessResult wait() {
    thread_.join();
    return ended_.read([](const Ended& ended) { return ended.value().value(); });
  }

 private:
  using Ended = std::optional<base::Result<io::ProcessResult>>;
  base::SystemClock clock_;
  base::Monitor<Ended> ended_;
  // Last: uses those above.
  base::Thread thread_;
};

}  // namespace clever::engine::crash
