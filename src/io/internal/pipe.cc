#include "io/internal/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "io/system_error.h"

namespace clever::io::internal {
namespace {

constexpr int kFirstFree = 3;

base::Result<FileDescriptor> above_standard(int number) {
  FileDescriptor low(number);
  if (number >= kFirstFree) return low;
  FileDescriptor high(::fcntl(number, F_DUPFD_CLOEXEC, kFirstFree));
  if (!high.valid()) return system_error(errno, "cannot create a pipe");
  return high;
}

}  // namespace

base::Result<Pipe> Pipe::create() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error(errno, "cannot create a pipe");
  auto reading = above_standard(ends[0]);
  auto writing = above_standard(ends[1]);
  if (!reading.ok()) return std::move(reading).error();
  if (!writing.ok()) return std::move(writing).error();
  return Pipe{.reading = std::move(reading).value(), .writing = std::move(writing).value()};
}

base::Result<void> make_nonblocking(const FileDescriptor& file) {
  const int flags = ::fcntl(file.number(), F_GETFL);
  if (flags < 0 || ::fcntl(file.number(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return system_error(errno, "cannot set up a pipe");
  }
  return {};
}

}  // namespace clever::io::internal
