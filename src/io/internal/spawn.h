#pragma once
#include <sys/types.h>

#include <cstdint>

#include "base/result.h"
#include "io/process.h"

namespace clever::io::internal {

/// The three ends that become a child's standard streams.
struct ChildStreams {
  int input;
  int output;
  int error_output;
};

/// What a new process leads: a group, which its parent can kill as a whole, or a session, which no
/// terminal reaches.
enum class Leads : std::uint8_t { kGroup, kSession };

/// Starts a program with only the standard descriptors, no blocked signal and the default action
/// for each: a parent that ignores SIGPIPE must not make its children ignore it. Returns its number
/// once it runs. `invalid_argument` for an empty argv or a NUL inside an argument or variable,
/// `not_found` for a missing folder. `terminal`: the program starts in the foreground of this
/// process's terminal; -1 for none.
[[nodiscard]] base::Result<pid_t> spawn(const ProcessOptions& options, const ChildStreams& streams,
                                        Leads leads, int terminal = -1);

}  // namespace clever::io::internal
