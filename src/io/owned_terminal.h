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

/// Why a wait for the terminal ended; several reasons may hold at once. A value.
struct TerminalInput {
  /// The typed bytes, not yet keys.
  std::string bytes{};
  bool resized = false;
  /// wake() was called.
  bool woken = false;
  /// The terminal is gone, or its input has ended.
  bool ended = false;
};

/// A terminal that a view or an editor has to itself: no echo, every key at once, Ctrl-C an
/// ordinary key. Restores the former state when it is destroyed, and also when a signal kills this
/// process, by a small process that waits for nothing else.
///
/// Open it before there are threads: it blocks SIGWINCH and SIGHUP, which it waits for. Used by one
/// thread, except for wake(). Replaced by tests.
class OwnedTerminal {
 public:
  enum class Mode : std::uint8_t {
    kScreen,  // the alternate screen, without a cursor
    kLine,    // below the existing text
  };
  /// `invalid_argument` if one of the descriptors is not a terminal.
  [[nodiscard]] static base::Result<std::unique_ptr<OwnedTerminal>> open(int input, int output,
                                                                         Mode mode);
  virtual ~OwnedTerminal() = default;

  /// Waits for input, or for `patience` (none: forever), after which the result is empty.
  [[nodiscard]] virtual base::Result<TerminalInput> wait(
      std::optional<std::chrono::milliseconds> patience) = 0;
  /// Ends a wait, or the next one. From any thread.
  virtual void wake() const = 0;
  [[nodiscard]] virtual TerminalSize size() const = 0;
  virtual base::Result<void> write(std::string_view bytes) = 0;

  /// Lets the terminal edit and echo lines until resume(), for a prompt that reads a line.
  virtual void suspend() = 0;
  virtual void resume() = 0;
  /// Runs a program that has the terminal to itself, as a shell would, with its keys and signals.
  /// Returns the exit code as a shell reports it; `not_found`, `permission_denied`.
  virtual base::Result<int> run(const std::vector<std::string>& argv,
                                const std::filesystem::path& folder) = 0;
};

}  // namespace clever::io
