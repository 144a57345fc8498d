#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

// Resolves paths below a folder's descriptor. Plain functions, safe from any thread.
namespace clever::io::internal {

/// Accepts only relative paths of plain names: `permission_denied` for an absolute one and for
/// `..`, `invalid_argument` for a NUL, an empty name and `.`.
[[nodiscard]] base::Result<void> check_relative(std::string_view path);

/// Opens what is at `path` below `folder` without following links; `path` may be empty for the
/// folder itself. The error is errno's: ELOOP for a link on the way.
struct Opened {
  FileDescriptor file;
  int error = 0;
};
[[nodiscard]] Opened open_beneath(int folder, const std::string& path, int flags);

/// The same, name by name, for kernels without openat2(2).
[[nodiscard]] Opened walk_beneath(int folder, std::string_view path, int flags);

/// The code and message of a failed call on `path`.
[[nodiscard]] base::Error beneath_error(int number, std::string_view doing, std::string_view path);

/// The folder that holds the last name of a path, and that name.
class Place {
 public:
  [[nodiscard]] static base::Result<Place> find(int folder, std::string_view path,
                                                std::string_view doing);

  [[nodiscard]] int folder() const noexcept { return folder_; }
  [[nodiscard]] const char* name() const noexcept { return name_.c_str(); }

 private:
  Place(FileDescriptor opened, int folder, std::string name)
      : opened_(std::move(opened)), folder_(folder), name_(std::move(name)) {}

  FileDescriptor opened_;  // none if the name is in the given folder
  int folder_;
  std::string name_;
};

}  // namespace clever::io::internal
