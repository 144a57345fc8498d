#pragma once
#include <cstddef>
#include <string_view>

#include "apply/internal/journal.h"
#include "base/result.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// What a file that is applied may hold.
inline constexpr std::size_t kLargestApplied = std::size_t{8} << 30U;

/// What is at the path now. Anything that is no file or link, a folder too, is kOther; so is
/// whatever lies behind a link.
[[nodiscard]] base::Result<Image> image_at(const io::Directory& root, std::string_view path);

}  // namespace clever::apply::internal
