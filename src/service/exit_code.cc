#include "service/exit_code.h"

namespace clever::service {

ExitCode exit_code(base::ErrorCode code) noexcept {
  switch (code) {
    case base::ErrorCode::kInvalidArgument:
      return ExitCode::kUsage;
    case base::ErrorCode::kNotFound:
      return ExitCode::kNotFound;
    case base::ErrorCode::kAlreadyExists:
    case base::ErrorCode::kConflict:
      return ExitCode::kConflict;
    case base::ErrorCode::kCancelled:
    case base::ErrorCode::kDeadlineExceeded:
    case base::ErrorCode::kUnavailable:
    case base::ErrorCode::kResourceExhausted:
    case base::ErrorCode::kPermissionDenied:
    case base::ErrorCode::kCorruption:
    case base::ErrorCode::kInternal:
      break;
  }
  return ExitCode::kError;
}

}  // namespace clever::service
