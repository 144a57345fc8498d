#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "model/message.h"

namespace clever::engine {

inline constexpr std::size_t kLargestImage = std::size_t{20} << 20U;

/// "image/png", "image/jpeg", "image/gif" or "image/webp" by the first bytes, whatever the file is
/// called; empty if it is none of them.
[[nodiscard]] std::string_view image_media_type(std::string_view bytes) noexcept;

/// A picture for a prompt. `invalid_argument` if it is none of those kinds, `resource_exhausted` if
/// it is larger than kLargestImage, `not_found`. Reads the file; blocks.
[[nodiscard]] base::Result<model::Image> load_image(const std::filesystem::path& path);

}  // namespace clever::engine
