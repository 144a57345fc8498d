#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/result.h"

namespace clever::confine::internal {

/// What the supervisor says to the one who started it. A value.
struct Report {
  enum class Kind : std::uint8_t {
    kStarted,  // the program runs
    kFailed,   // it does not, and nothing of it ever ran
    kEnded,    // with this wait status
  };
  Kind kind = Kind::kStarted;
  int status = 0;
  base::ErrorCode code = base::ErrorCode::kInternal;
  std::string message{};
};

/// A failure to tell is none: whoever does not listen any more wants everything to end.
void send_report(int socket, const Report& report);
[[nodiscard]] Report failure_report(const base::Error& error);
/// The next report; `unavailable` if there is none.
[[nodiscard]] base::Result<Report> receive_report(int socket, std::chrono::milliseconds patience);

}  // namespace clever::confine::internal
