#include "io/shared_counter.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/lock_rank.h"
#include "io/system_error.h"

namespace clever::io {

base::Result<SharedCounter> SharedCounter::open(const std::filesystem::path& path) {
  base::lock_rank::require_none("opening a counter");
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.valid()) return system_error(errno, "cannot open", path);
  return SharedCounter(std::move(file));
}

std::uint64_t SharedCounter::load() const noexcept {
  std::uint64_t value = 0;
  const bool whole = ::pread(file_.number(), &value, sizeof value, 0) == sizeof value;
  return whole ? value : 0;
}

void SharedCounter::store(std::uint64_t value) noexcept {
  // A failure (a full disk) costs a hint.
  static_cast<void>(::pwrite(file_.number(), &value, sizeof value, 0) == sizeof value);
}

}  // namespace clever::io
