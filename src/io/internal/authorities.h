#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// The trusted certificate authorities, as one file for the TLS library.
struct Authorities {
  std::string file{};
  /// Keeps a file alive that exists only in memory.
  FileDescriptor memory{};
};

/// Joins the system's authorities in `system` and those in `extra`, which may be empty.
[[nodiscard]] base::Result<Authorities> join_authorities(const std::string& system,
                                                         const std::filesystem::path& extra);

}  // namespace clever::io::internal
