#include "io/file_descriptor.h"

#include <unistd.h>

namespace clever::io {

void FileDescriptor::reset() noexcept {
  // Linux releases the number even where close() reports an error: never a second try.
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

}  // namespace clever::io
