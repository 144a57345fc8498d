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

/// How the supervisor is started: this very program (a path, /proc/self/exe) with words that make
/// its main() call supervisor_main(). Further words may follow them.
struct Launcher {
  std::vector<std::string> argv;
};

struct Ending {
  /// As a shell reports it: 128 + the number of the signal that ended it, if one did.
  int exit_code = 0;
  std::optional<int> signal{};
  /// Why, if confinement is what stopped it: "used up its memory limit of 2 GiB", "wanted the
  /// network, which is off (sandbox.network)". Empty if nothing is known.
  std::string remark{};
};

/// A command that runs in namespaces of its own: mounts, processes, IPC, host name and network,
/// with Landlock and seccomp on top. A supervisor is process 1 inside and ends, and with it
/// everything that was started, when the command ends, when kill() is called, or when this process
/// does, however it does (the supervisor reads a pipe that only this process holds). Nothing
/// survives.
///
/// Owned by whoever started it; the destructor kills and waits. wait() from one thread at a time;
/// kill() from any.
class ConfinedProcess {
 public:
  struct Pipes {
    io::FileDescriptor input;   // write here
    io::FileDescriptor output;  // read there
    io::FileDescriptor error;
  };

  /// Returns when the program runs. `unavailable` if the kernel does not offer what is required
  /// (the message says what is missing, and `--unconfined`); nothing ran then. `not_found` if there
  /// is no such program or working directory inside, or a mount's source is missing;
  /// `invalid_argument` for a command that makes no sense. From any thread, any number at once.
  [[nodiscard]] static base::Result<std::unique_ptr<ConfinedProcess>> start(
      const Launcher& launcher, const Command& command);
  virtual ~ConfinedProcess() = default;

  /// The standard streams; may be moved from once. The outputs end when nothing is left that could
  /// write to them. A write to `input` after the command has ended raises SIGPIPE, as with any
  /// pipe.
  virtual Pipes& pipes() = 0;
  /// Readable for poll(2) once it has ended; -1 if that cannot be waited for with others.
  [[nodiscard]] virtual int watch() const { return -1; }
  /// Ends everything inside at once.
  virtual void kill() = 0;
  /// Until it has ended and nothing of it is left. `cancelled` or `deadline_exceeded`: it runs on.
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
/// `cancelled` or `deadline_exceeded`, whose message holds the last lines it wrote.
[[nodiscard]] base::Result<Output> run(const Launcher& launcher, const Command& command,
                                       std::string_view standard_input, std::size_t output_limit,
                                       const base::StopToken& stop, base::Deadline deadline);

/// The supervisor: reads from a socket (descriptor 3) which world to set up, and runs the command
/// in it. With the word `probe` or `resolve HOST` at the end of the command line it answers what
/// features() or the proxy asked. Returns the exit code of the process. Called by main() of the
/// launcher's program before anything else is started: no thread may exist yet.
int supervisor_main(int argc, char** argv);

}  // namespace clever::confine
