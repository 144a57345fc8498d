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

/// The input written to a running program, and the handling of its output. Used by one thread.
class AgentTalk {
 public:
  virtual ~AgentTalk() = default;
  /// The bytes to write now; may be empty.
  [[nodiscard]] virtual std::string take_output() = 0;
  /// No more input will follow: the program's input is closed once everything is written.
  [[nodiscard]] virtual bool is_silent() const = 0;
  /// The conversation is over: the program may end now, and is ended if it does not.
  [[nodiscard]] virtual bool has_ended() const = 0;
  /// An error ends the program at once.
  [[nodiscard]] virtual base::Result<void> on_output(std::string_view bytes) = 0;
  /// Handles a request to stop. Returns true if the program was asked to stop and gets a moment to
  /// end.
  [[nodiscard]] virtual bool on_stop() = 0;
  /// The pending answer, for messages: " (it has not answered session/new)".
  [[nodiscard]] virtual std::string waits_for() const { return {}; }
};

struct AgentTalkOptions {
  const confine::Launcher& launcher;
  base::Clock& clock;
  /// How long a program may take to end by itself after the conversation, or after it was asked to
  /// stop.
  std::chrono::milliseconds grace{std::chrono::seconds{3}};
  /// Called about once a second while the program runs, with the end of its error output. May be
  /// empty.
  std::function<void(const std::string& errors)> on_tick{};
  /// Called once for each such period without output. May be empty.
  std::function<void()> on_silence{};
  std::chrono::milliseconds silence{std::chrono::minutes{2}};
};

/// Runs a confined program and talks with it until it has ended and left no process behind. The
/// output keeps the end of what it wrote. `cancelled` or `deadline_exceeded` with its last lines;
/// the error of the talk; `unavailable` or `not_found` if it could not be started.
[[nodiscard]] base::Result<confine::Output> talk_with(const AgentTalkOptions& options,
                                                      const confine::Command& command,
                                                      AgentTalk& talk, const base::StopToken& stop,
                                                      base::Deadline deadline);

}  // namespace clever::engine::internal
