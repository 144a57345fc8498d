#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"

namespace clever::engine::internal {

/// What is said to a program while it runs, and what is made of its words. Used by one thread.
class AgentTalk {
 public:
  virtual ~AgentTalk() = default;
  /// What is to be written now; empty: nothing.
  [[nodiscard]] virtual std::string take_output() = 0;
  /// Nothing more will be written: its input is closed once all is.
  [[nodiscard]] virtual bool is_silent() const = 0;
  /// All is said: the program may end now, and is ended if it does not.
  [[nodiscard]] virtual bool has_ended() const = 0;
  /// An error ends the program at once.
  [[nodiscard]] virtual base::Result<void> on_output(std::string_view bytes) = 0;
  /// A stop was asked for. True: the program was told, and has a moment to come to its end.
  [[nodiscard]] virtual bool on_stop() = 0;
  /// For messages: what is waited for, " (it has not answered session/new)".
  [[nodiscard]] virtual std::string waits_for() const { return {}; }
};

struct AgentTalkOptions {
  const confine::Launcher& launcher;
  base::Clock& clock;
  /// How long a program may take to end by itself once all is said, or it was told to stop.
  std::chrono::milliseconds grace{std::chrono::seconds{3}};
  /// Called about once a second while the program runs. May be empty.
  std::function<void()> on_tick{};
  /// Called once for each time in which it wrote nothing for so long. May be empty.
  std::function<void()> on_silence{};
  std::chrono::milliseconds silence{std::chrono::minutes{2}};
};

/// Runs a confined program and talks with it until it has ended; nothing of it is left then. The
/// output keeps the end of what it wrote. `cancelled` or `deadline_exceeded` with its last lines;
/// what the talk says was wrong; `unavailable` or `not_found` if it could not be started.
[[nodiscard]] base::Result<confine::Output> talk_with(const AgentTalkOptions& options,
                                                      const confine::Command& command,
                                                      AgentTalk& talk, const base::StopToken& stop,
                                                      base::Deadline deadline);

}  // namespace clever::engine::internal
