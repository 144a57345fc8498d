#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace clever::storage::postgres {

/// What a failure means for the transaction and the connection.
enum class Trouble : std::uint8_t {
  kRefused,  // the statement is impossible; the connection lives
  kRepeat,   // other transactions were in the way: the same one may succeed when repeated
  kLost,     // the connection is lost
  kStopped,  // the caller stopped waiting; the connection is unusable
};

struct Failure {
  Trouble trouble = Trouble::kRefused;
  std::string sqlstate;  // empty if it is not the server's answer
  base::Error error;
};

/// A message of the server.
struct ServerMessage {
  std::string_view severity;  // "ERROR", "FATAL", "PANIC"
  std::string_view sqlstate;
  std::string_view text;
  std::string_view detail;
};

[[nodiscard]] Failure failure_of(const ServerMessage& message);

/// Classifies the text of a failed attempt to connect, as libpq writes it in verbose mode: "…
/// failed: FATAL:  3D000: database "x" does not exist\nLOCATION: …".
[[nodiscard]] base::Error connect_error(std::string_view text);

}  // namespace clever::storage::postgres
