#include "io/shared_numbers.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/lock_rank.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

off_t offset_of(std::size_t at) { return static_cast<off_t>(at * sizeof(std::uint64_t)); }

}  // namespace

base::Result<SharedNumbers> SharedNumbers::open(const std::filesystem::path& path) {
  base::lock_rank::require_none("opening shared numbers");
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.valid()) return system_error(errno, "cannot open", path);
  return SharedNumbers(std::move(file));
}

std::uint64_t SharedNumbers::load(std::size_t at) const noexcept {
  std::uint64_t value = 0;
  load(at, {&value, 1});
  return value;
}

void SharedNumbers::store(std::size_t at, std::uint64_t value) noexcept { store(at, {&value, 1}); }

void SharedNumbers::load(std::size_t at, std::span<std::uint64_t> values) const noexcept {
  const ssize_t read = ::pread(file_.number(), values.data(), values.size_bytes(), offset_of(at));
  const std::size_t whole = read < 0 ? 0 : static_cast<std::size_t>(read) / sizeof(std::uint64_t);
  std::ranges::fill(values.subspan(whole), 0);
}

void SharedNumbers::store(std::size_t at, std::span<const std::uint64_t> values) noexcept {
  // A failure (a full disk) only loses a hint.
  static_cast<void>(::pwrite(file_.number(), values.data(), values.size_bytes(), offset_of(at)));
}

}  // namespace clever::io
