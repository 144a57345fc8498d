#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace clever::storage::postgres {

/// What a failure means for the transaction and for the connection.
enum class Trouble : std::uint8_t {
  kRefused,  // the statement cannot be done; the connection lives
  kRepeat,   // others were in the way: the same transaction may succeed when it is run again
  kLost,     // the connection is gone
  kStopped,  // the caller no longer wants to wait; the connection is of no use any more
};

struct Failure {
  Trouble trouble = Trouble::kRefused;
  std::string sqlstate;  // empty if it is not the server's answer
  base::Error error;
};

/// What the server said.
struct ServerMessage {
  std::string_view severity;  // "ERROR", "FATAL", "PANIC"
  std::string_view sqlstate;
  std::string_view text;
  std::string_view detail;
};

[[nodiscard]] Failure failure_of(const ServerMessage& message);

/// For the text of a failed attempt to connect, as libpq writes it when it is told to be verbose:
/// "… failed: FATAL:  3D000: database "x" does not exist\nLOCATION: …".
[[nodiscard]] base::Error connect_error(std::string_view text);

}  // namespace clever::storage::postgres
