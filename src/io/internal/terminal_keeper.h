#pragma once
#include <sys/types.h>
#include <termios.h>

#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// A process that does nothing but wait for the end of this one, and then gives a terminal back as
/// it was: kill -9 leaves nobody else to do it. It has a session of its own, so that what ends this
/// process's group does not end it.
///
/// Start it before there are threads. Used by one thread.
class TerminalKeeper {
 public:
  /// `leave` is what is written to the output before the shape comes back.
  [[nodiscard]] static base::Result<TerminalKeeper> start(int input, int output,
                                                          const termios& shape,
                                                          std::string_view leave);
  TerminalKeeper(TerminalKeeper&& other) noexcept;
  TerminalKeeper& operator=(TerminalKeeper&&) = delete;
  /// Dismisses it.
  ~TerminalKeeper();

  /// The terminal is given back already: the keeper ends without touching it.
  void dismiss();

 private:
  TerminalKeeper(FileDescriptor line, pid_t process) : line_(std::move(line)), process_(process) {}

  /// Its end without a word is the end of this process.
  FileDescriptor line_;
  pid_t process_;
};

}  // namespace clever::io::internal
