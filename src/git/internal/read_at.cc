#include "git/internal/read_at.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/lock_rank.h"

namespace clever::git::internal {

base::Result<std::string> read_at(const io::FileDescriptor& file, std::uint64_t offset,
                                  std::size_t count) {
  base::lock_rank::require_none("reading a file");
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got = ::pread(file.number(), bytes.data() + have, count - have,
                                static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return base::unavailable("cannot read the object store: " +
                               std::generic_category().message(errno));
    }
    if (got == 0) return base::corruption("a log of the object store ends too early");
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace clever::git::internal
