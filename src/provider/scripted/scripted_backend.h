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

/// Answers from a script. No thread of its own: answers come on `executor`, delays by `timers`, so
/// that it works on a simulated clock.
///
/// Thread-safe. `timers` and `executor` outlive the backend and its attempts. An attempt whose
/// executor closes, or whose timer queue ends, ends as cancelled.
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
  // Thread-safe by itself.
  ScriptPlayer player_;
};

}  // namespace clever::provider
