#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/executor.h"
#include "base/timer_queue.h"
#include "provider/backend.h"
#include "provider/scripted/script_player.h"

namespace clever::provider {

/// Shown wherever a scripted model is used.
inline constexpr std::string_view kNoModelNotice =
    "scripted: the answers come from a script; no model is called.";

/// Answers from a script. Has no thread of its own: answers come on `executor`, delays from
/// `timers`, so that it works on a simulated clock.
///
/// Thread-safe. `timers` and `executor` outlive the backend and its attempts. An attempt ends as
/// cancelled if its executor closes or its timer queue ends.
class ScriptedBackend final : public Backend {
 public:
  ScriptedBackend(std::string provider, Script script, base::TimerQueue& timers,
                  base::Executor& executor);

  std::unique_ptr<Attempt> start(const std::string& model, const ModelRequest& request,
                                 std::shared_ptr<AttemptSink> sink) override;

  [[nodiscard]] const ScriptPlayer& player() const noexcept { return player_; }

 private:
  // Constant after construction.
  const std::string provider_;
  base::TimerQueue& timers_;
  base::Executor& executor_;
  // Thread-safe.
  ScriptPlayer player_;
};

}  // namespace clever::provider
