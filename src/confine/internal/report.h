#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/result.h"

namespace clever::confine::internal {

/// A supervisor's message to its starter. A value.
struct Report {
  enum class Kind : std::uint8_t {
    kStarted,  // the program runs
    kFailed,   // it does not, and nothing of it ran
    kEnded,    // with this wait status
  };
  Kind kind = Kind::kStarted;
  int status = 0;
  base::ErrorCode code = base::ErrorCode::kInternal;
  std::string message{};
};

/// Ignores failures: a starter that no longer reads wants everything to end.
void send_report(int socket, const Report& report);
[[nodiscard]] Report failure_report(const base::Error& error);
/// The next report; `unavailable` if none comes.
[[nodiscard]] base::Result<Report> receive_report(int socket, std::chrono::milliseconds patience);

}  // namespace clever::confine::internal
