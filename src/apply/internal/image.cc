#include "apply/internal/image.h"

namespace clever::apply::internal {
namespace {

using base::ErrorCode;
using Kind = io::EntryFacts::Kind;

base::Result<Image> looked_at(const io::Directory& root, std::string_view path) {
  CLEVER_ASSIGN(const io::EntryFacts facts, root.facts(path));
  if (facts.kind == Kind::kLink) {
    CLEVER_ASSIGN(const std::string target, root.read_link(path));
    return Image{Image::Kind::kLink, base::sha256(target)};
  }
  if (facts.kind != Kind::kFile) return Image{Image::Kind::kOther};
  CLEVER_ASSIGN(const base::Sha256Digest hash, root.hash_file(path));
  const bool executable = (facts.mode & 0100U) != 0;
  return Image{executable ? Image::Kind::kExecutable : Image::Kind::kFile, hash};
}

}  // namespace

base::Result<Image> image_at(const io::Directory& root, std::string_view path) {
  auto image = looked_at(root, path);
  if (image.ok()) return image;
  if (image.error().code() == ErrorCode::kNotFound) return Image{};
  if (image.error().code() == ErrorCode::kPermissionDenied && root.facts(path).ok()) return image;
  if (image.error().code() == ErrorCode::kPermissionDenied) return Image{Image::Kind::kOther};
  return image;
}

}  // namespace clever::apply::internal
