#include "confine/internal/system_error.h"

#include <cerrno>
#include <system_error>

namespace clever::confine::internal {
namespace {

base::ErrorCode code_of(int number) {
  using enum base::ErrorCode;
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return kPermissionDenied;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
    case ENOSPC:
      return kResourceExhausted;
    case EINVAL:
    case ELOOP:
    case ENAMETOOLONG:
    case E2BIG:
    case ENOEXEC:
      return kInvalidArgument;
    default:
      return kInternal;
  }
}

std::string sentence(int number, std::string_view doing) {
  return std::string(doing) + ": " + std::generic_category().message(number);
}

}  // namespace

base::Error system_error(int number, std::string_view doing) {
  return {code_of(number), sentence(number, doing)};
}

base::Error not_offered(int number, std::string_view doing) {
  return base::unavailable("commands cannot be confined here: " + sentence(number, doing) +
                           "; `agents diagnostics` says what this kernel offers, and "
                           "--unconfined runs them without protection");
}

}  // namespace clever::confine::internal
