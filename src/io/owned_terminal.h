#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/terminal.h"

namespace clever::io {

/// Why a wait for the terminal ended; several may hold at once. A value.
struct TerminalInput {
  /// What was typed: bytes, not yet keys.
  std::string bytes{};
  bool resized = false;
  /// Somebody called wake().
  bool woken = false;
  /// The terminal is gone, or nothing more can be typed.
  bool ended = false;
};

/// A terminal that a view or an editor has for itself: no echo, every key at once, Ctrl-C a key
/// like others. What it was like before comes back when this is destroyed, and, by a small process
/// that waits for nothing else, when this process is killed, by whatever signal.
///
/// Open it before there are threads: it blocks SIGWINCH and SIGHUP, which it waits for. Used by one
/// thread, but for wake(). Replaced by tests.
class OwnedTerminal {
 public:
  enum class Mode : std::uint8_t {
    kScreen,  // the alternate screen, without a cursor
    kLine,    // below what is there already
  };
  /// `invalid_argument` if one of the descriptors is no terminal.
  [[nodiscard]] static base::Result<std::unique_ptr<OwnedTerminal>> open(int input, int output,
                                                                         Mode mode);
  virtual ~OwnedTerminal() = default;

  /// Until there is something, or `patience` is over (none: without end): then all is empty.
  [[nodiscard]] virtual base::Result<TerminalInput> wait(
      std::optional<std::chrono::milliseconds> patience) = 0;
  /// Ends a wait, or the next one. From any thread.
  virtual void wake() const = 0;
  [[nodiscard]] virtual TerminalSize size() const = 0;
  virtual base::Result<void> write(std::string_view bytes) = 0;

  /// Lines are edited and echoed by the terminal, until resume(): for who asks by reading a line.
  virtual void suspend() = 0;
  virtual void resume() = 0;
  /// Runs a program that has the terminal for itself, as a shell would: its keys and signals are
  /// its own. The exit code as a shell tells it; `not_found`, `permission_denied`.
  virtual base::Result<int> run(const std::vector<std::string>& argv,
                                const std::filesystem::path& folder) = 0;
};

}  // namespace clever::io
