#pragma once
#include <cstddef>
#include <string>

#include "base/error.h"

namespace clever::io::internal {

/// The error for a file with more bytes than the caller accepts.
[[nodiscard]] inline base::Error too_large(const std::string& path, std::size_t limit) {
  return base::resource_exhausted(path + " is larger than the limit of " + std::to_string(limit) +
                                  " bytes");
}

}  // namespace clever::io::internal
