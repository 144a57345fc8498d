#include "io/standard_streams.h"

#include <fcntl.h>

namespace clever::io {

void hold_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    // open() returns the lowest free number: the missing one.
    if (::fcntl(descriptor, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
  }
}

}  // namespace clever::io
