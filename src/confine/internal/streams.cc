#include "confine/internal/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace clever::confine::internal {

void forget_standard_streams() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (nothing >= 0) {
      ::dup2(nothing, number);
    } else {
      ::close(number);
    }
  }
  if (nothing > STDERR_FILENO) ::close(nothing);
}

}  // namespace clever::confine::internal
