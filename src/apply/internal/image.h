#pragma once
#include <cstddef>
#include <string_view>

#include "apply/internal/journal.h"
#include "base/result.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// The largest file that can be applied.
inline constexpr std::size_t kLargestApplied = std::size_t{8} << 30U;

/// The present content of the path. Anything but a file or link, also a folder, is kOther; so is
/// everything behind a link.
[[nodiscard]] base::Result<Image> image_at(const io::Directory& root, std::string_view path);

}  // namespace clever::apply::internal
