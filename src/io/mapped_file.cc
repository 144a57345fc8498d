#include "io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/lock_rank.h"
#include "io/file_descriptor.h"
#include "io/internal/open_regular.h"
#include "io/system_error.h"

namespace clever::io {

base::Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  base::lock_rank::require_none("mapping a file");
  CLEVER_ASSIGN(const auto file, internal::open_regular(path, O_RDONLY, "cannot read"));
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return system_error(errno, "cannot read", path);
  if (!S_ISREG(status.st_mode))
    return base::invalid_argument(path.string() + " is not a regular file");
  if (status.st_size == 0) return MappedFile();
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (begin == MAP_FAILED) return system_error(errno, "cannot map", path);
  return MappedFile(std::string_view(static_cast<const char*>(begin), size));
}

MappedFile::~MappedFile() {
  // mmap() returned read-only pages; unmapping changes none of them.
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void MappedFile::release(std::string_view part) const noexcept {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto offset = static_cast<std::size_t>(part.data() - bytes_.data());
  const std::size_t begin = offset - offset % page;
  if (part.empty()) return;
  ::madvise(const_cast<char*>(bytes_.data()) + begin, offset + part.size() - begin, MADV_DONTNEED);
}

}  // namespace clever::io
