#include "engine/actor/image.h"

#include "git/tree_path.h"
#include "io/file.h"

namespace clever::engine {

std::string_view image_media_type(std::string_view bytes) noexcept {
  constexpr std::string_view kPng("\x89PNG\r\n\x1A\n", 8);
  constexpr std::string_view kJpeg("\xFF\xD8\xFF", 3);
  if (bytes.starts_with(kPng)) return "image/png";
  if (bytes.starts_with(kJpeg)) return "image/jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
  const bool webp = bytes.starts_with("RIFF") && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP";
  return webp ? "image/webp" : "";
}

base::Result<model::Image> load_image(const std::filesystem::path& path) {
  CLEVER_ASSIGN(std::string bytes, io::read_file(path, kLargestImage));
  const std::string_view type = image_media_type(bytes);
  if (type.empty()) {
    return base::invalid_argument(
        git::printable(path.string()) +
        " is not an image that models accept: use PNG, JPEG, GIF or WebP");
  }
  return model::Image{std::string(type), std::move(bytes)};
}

}  // namespace clever::engine
