#include "io/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/lock_rank.h"
#include "io/disk_fault.h"
#include "io/internal/open_regular.h"
#include "io/output.h"
#include "io/system_error.h"

namespace clever::io {
namespace {
constexpr std::size_t kBuffer = std::size_t{256} << 10U;
}

base::Result<FileWriter> FileWriter::open(const std::filesystem::path& path, mode_t mode) {
  base::lock_rank::require_none("opening a file");
  if (disk_fails(DiskChange::kCreate)) return system_error(errno, "cannot write", path);
  CLEVER_ASSIGN(auto file,
                internal::open_regular(path, O_WRONLY | O_CREAT | O_TRUNC, "cannot write", mode));
  return FileWriter(std::move(file), path);
}

void FileWriter::append(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBuffer) flush();
}

void FileWriter::flush() {
  base::lock_rank::require_none("writing a file");
  if (failure_.ok() && disk_fails(DiskChange::kWrite)) {
    failure_ = system_error(errno, "cannot write", path_);
  }
  if (failure_.ok()) {
    failure_ = write_all(file_.number(), buffer_).context("writing " + path_.string());
  }
  written_ += buffer_.size();
  buffer_.clear();
}

base::Result<void> FileWriter::sync() {
  flush();
  if (failure_.ok() && (disk_fails(DiskChange::kSync) || ::fdatasync(file_.number()) != 0)) {
    failure_ = system_error(errno, "cannot sync", path_);
  }
  return failure_;
}

}  // namespace clever::io
