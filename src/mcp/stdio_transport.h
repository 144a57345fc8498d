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
  /// Bytes that may wait for a server that does not read.
  std::size_t outbox_limit = std::size_t{64} << 20U;
  /// How long a server may take to end by itself once its input is closed.
  std::chrono::milliseconds grace{500};
};

/// One JSON-RPC text per line over the standard streams of a process, on one thread of its own that
/// reads, writes and keeps the last lines of what the process says on its error output. The
/// destructor closes the input, waits for the grace, and kills. The clock must outlive it.
[[nodiscard]] base::Result<std::unique_ptr<Transport>> make_stdio_transport(
    std::unique_ptr<confine::ConfinedProcess> process, base::Clock& clock, StdioOptions options);

}  // namespace clever::mcp
