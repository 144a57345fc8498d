#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::git::internal {

/// Reads exactly this many bytes of a file; `corruption` if it ends earlier.
[[nodiscard]] base::Result<std::string> read_at(const io::FileDescriptor& file,
                                                std::uint64_t offset, std::size_t count);

}  // namespace clever::git::internal
