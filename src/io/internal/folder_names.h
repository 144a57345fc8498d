#pragma once
#include <sys/types.h>

#include <functional>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// Calls `visit` with each name in the folder and its type, as mode bits (S_IFDIR …); ends early if
/// it returns false. Takes the descriptor, which must be open for reading.
[[nodiscard]] base::Result<void> visit_names(
    FileDescriptor folder, std::string_view path,
    const std::function<bool(std::string_view name, mode_t type)>& visit);

}  // namespace clever::io::internal
