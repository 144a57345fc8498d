#include "confine/internal/not_offered.h"

#include "io/system_error.h"

namespace clever::confine::internal {

base::Error not_offered(int number, std::string_view doing) {
  return base::unavailable(
      "this machine cannot confine commands: " + io::system_error(number, doing).message() +
      "; `agents diagnostics` shows what its kernel lacks, and "
      "--unconfined runs commands without protection");
}

}  // namespace clever::confine::internal
