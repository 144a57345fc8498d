#include "confine/internal/not_offered.h"

#include "io/system_error.h"

namespace clever::confine::internal {

base::Error not_offered(int number, std::string_view doing) {
  return base::unavailable(
      "commands cannot be confined here: " + io::system_error(number, doing).message() +
      "; `agents diagnostics` says what this kernel offers, and "
      "--unconfined runs them without protection");
}

}  // namespace clever::confine::internal
