#include "io/machine.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "io/file.h"

namespace clever::io {
namespace {

// The file of a limit holds a number, or "max".
std::uint64_t limit_in(const char* path) {
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  const std::string text = read_file(path, 100).value_or(std::string());
  std::from_chars(text.data(), text.data() + text.size(), limit);
  return limit;
}

}  // namespace

std::uint64_t machine_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
  const auto page = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 0L));
  return std::min({pages * page, limit_in("/sys/fs/cgroup/memory.max"),
                   limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace clever::io
