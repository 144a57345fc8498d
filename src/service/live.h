#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/observer.h"

namespace clever::service {

/// How a person who looks elsewhere learns that a plan needs them: output.notify.
enum class Notify : std::uint8_t { kOff, kBell, kDesktop };
/// Anything else is kBell.
[[nodiscard]] Notify notify_from_string(std::string_view text) noexcept;

struct LiveOptions {
  /// Plans that a person asked for; only a single one has its model's text streamed.
  std::size_t tasks = 1;
  /// The terminal knows no cursor movement: plain lines.
  bool dumb = false;
  /// Each plan is named when it is first seen; not where a person talks with a single one.
  bool heading = true;
  /// How to notify a terminal that a plan needs a person.
  Notify notify = Notify::kOff;
  /// Where the output is no terminal, the lines go there.
  bool on_output = false;
};

/// Shows what plans do while they do it. As an observer it is thread-safe and never blocks on a
/// terminal. The engine that it observes must be gone before it is.
class LiveDisplay : public engine::Observer {
 public:
  /// Takes the display away and writes nothing until resume(): the terminal belongs to a question.
  /// By the command's thread.
  virtual void pause() = 0;
  virtual void resume() = 0;
};

}  // namespace clever::service
