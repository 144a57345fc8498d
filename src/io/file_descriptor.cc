#include "io/file_descriptor.h"

#include <unistd.h>

namespace clever::io {

void FileDescriptor::reset() noexcept {
  // Linux releases the number even if close() reports an error, so never try again.
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

}  // namespace clever::io
