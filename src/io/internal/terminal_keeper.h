#pragma once
#include <sys/types.h>
#include <termios.h>

#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// A process that waits for the end of this one and then restores the terminal, which works even
/// after kill -9. It has its own session, so that a signal to this process's group does not end it.
///
/// Start it before there are threads. Used by one thread.
class TerminalKeeper {
 public:
  /// `leave` is written to the output before the terminal is restored.
  [[nodiscard]] static base::Result<TerminalKeeper> start(int input, int output,
                                                          const termios& shape,
                                                          std::string_view leave);
  TerminalKeeper(TerminalKeeper&& other) noexcept;
  TerminalKeeper& operator=(TerminalKeeper&&) = delete;
  /// Dismisses it.
  ~TerminalKeeper();

  /// The terminal is restored already: the keeper ends without touching it.
  void dismiss();

 private:
  TerminalKeeper(FileDescriptor line, pid_t process) : line_(std::move(line)), process_(process) {}

  /// If it closes without a message, this process has died.
  FileDescriptor line_;
  pid_t process_;
};

}  // namespace clever::io::internal
