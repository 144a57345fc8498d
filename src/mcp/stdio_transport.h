#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "confine/confined_process.h"
#include "mcp/transport.h"

namespace clever::mcp {

struct StdioOptions {
  std::string server_name;
  std::size_t largest_message = std::size_t{32} << 20U;
  /// The bytes that may wait for a server that does not read.
  std::size_t outbox_limit = std::size_t{64} << 20U;
  /// How long a server may take to exit after its input is closed.
  std::chrono::milliseconds grace{500};
};

/// One JSON-RPC text per line over the standard streams of a process. Its own thread reads, writes
/// and keeps the last lines of the error output. The destructor closes the input, waits for the
/// grace period, and kills. The clock must outlive it.
[[nodiscard]] base::Result<std::unique_ptr<Transport>> make_stdio_transport(
    std::unique_ptr<confine::ConfinedProcess> process, base::Clock& clock, StdioOptions options);

}  // namespace clever::mcp
