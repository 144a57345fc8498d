#include "io/system_error.h"

#include <cerrno>
#include <system_error>

namespace clever::io {
namespace {

base::ErrorCode number_code(int number) {
  using enum base::ErrorCode;
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return kPermissionDenied;
    case EEXIST:
      return kAlreadyExists;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
      return kResourceExhausted;
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL:
    case E2BIG:
    case ENOEXEC:
      return kInvalidArgument;
    case EPIPE:
      return kUnavailable;
    default:
      return kInternal;
  }
}

}  // namespace

std::string system_message(int number) { return std::generic_category().message(number); }

base::Error system_error(int number, std::string_view doing) {
  return {number_code(number), std::string(doing) + ": " + system_message(number)};
}

base::Error system_error(int number, std::string_view doing, const std::filesystem::path& path) {
  return system_error(number, std::string(doing) + " " + path.string());
}

}  // namespace clever::io
