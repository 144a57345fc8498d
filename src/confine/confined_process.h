#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/command.h"
#include "io/file_descriptor.h"

namespace clever::confine {

/// How to start the supervisor: this very program (a path, /proc/self/exe) with arguments that make
/// its main() call supervisor_main(). Further arguments may follow.
struct Launcher {
  std::vector<std::string> argv;
};

struct Ending {
  /// As a shell reports it: 128 + the number of the signal that ended it, if one did.
  int exit_code = 0;
  std::optional<int> signal{};
  /// The reason, if confinement stopped it: "used up its memory limit of 2 GiB", "needed the
  /// network, which is off (sandbox.network)". Empty if unknown.
  std::string remark{};
};

/// A command in its own namespaces: mounts, processes, IPC, host name and network, with Landlock
/// and seccomp on top. A supervisor is process 1 inside. It ends, and with it every process inside,
/// when the command ends, when kill() is called, or when this process ends in any way (the
/// supervisor reads a pipe that only this process holds). Nothing survives.
///
/// Owned by its starter; the destructor kills and waits. wait() from one thread at a time; kill()
/// from any.
class ConfinedProcess {
 public:
  struct Pipes {
    io::FileDescriptor input;   // write here
    io::FileDescriptor output;  // read there
    io::FileDescriptor error;
  };

  /// Returns when the program runs. `unavailable` if the kernel lacks a required feature (the
  /// message names it, and `--unconfined`); then nothing ran. `not_found` if the program, the
  /// working directory inside, or a mount's source is missing; `invalid_argument` for an invalid
  /// command. From any thread, any number at once.
  [[nodiscard]] static base::Result<std::unique_ptr<ConfinedProcess>> start(
      const Launcher& launcher, const Command& command);
  virtual ~ConfinedProcess() = default;

  /// The standard streams; may be moved from once. The outputs end when no process is left to write
  /// to them. Writing to `input` after the command has ended raises SIGPIPE, as with any pipe.
  virtual Pipes& pipes() = 0;
  /// Readable for poll(2) once it has ended; -1 if it cannot be polled.
  [[nodiscard]] virtual int watch() const { return -1; }
  /// Ends everything inside at once.
  virtual void kill() = 0;
  /// Waits until it has ended completely. `cancelled` or `deadline_exceeded`: it still runs.
  virtual base::Result<Ending> wait(const base::StopToken& stop = {},
                                    base::Deadline deadline = base::Deadline::never()) = 0;
};

struct Output {
  Ending ending;
  std::string output{};
  std::string error_output{};
  /// Whether the limit cut something off: the first and last halves of the limit are kept.
  bool truncated = false;
};

/// Runs it to its end. On a stop or at the deadline everything inside is killed and the answer is
/// `cancelled` or `deadline_exceeded`, with the last lines of output in the message.
[[nodiscard]] base::Result<Output> run(const Launcher& launcher, const Command& command,
                                       std::string_view standard_input, std::size_t output_limit,
                                       const base::StopToken& stop, base::Deadline deadline);

/// The supervisor: reads the command and its view from a socket (descriptor 3), sets it up and runs
/// the command. With `probe` or `resolve HOST` at the end of the command line it serves features()
/// or the proxy. Returns the exit code of the process. main() of the launcher's program calls it
/// before anything else, since no thread may exist yet.
int supervisor_main(int argc, char** argv);

}  // namespace clever::confine
