#include "git/internal/stored_object.h"

#include <zlib.h>

#include <algorithm>

#include "base/check.h"

namespace clever::git::internal {
namespace {

// A smaller stream would not get shorter.
constexpr std::size_t kWorthDeflating = 64;
// A large folder is mostly ids, which do not compress, and is written again for each change in it.
constexpr std::size_t kLargeTree = std::size_t{64} << 10U;

// No zlib stream inflates to more than 1032 times its size.
constexpr std::uint64_t kLargestRatio = 1040;

constexpr std::size_t kChunk = std::size_t{1} << 30U;  // zlib counts in 32 bits

Bytef* input_of(std::string_view text) {
  // zlib does not write to its input; its interface predates const.
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

std::string deflated(std::string_view content) {
  std::string bytes(::compressBound(content.size()), '\0');
  uLongf size = bytes.size();
  const int status = ::compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, input_of(content),
                                 content.size(), Z_BEST_SPEED);
  CLEVER_CHECK(status == Z_OK, "zlib cannot deflate into a buffer of its own size");
  bytes.resize(size);
  bytes.shrink_to_fit();
  return bytes;
}

bool worth_deflating(ObjectKind kind, std::string_view content) {
  return content.size() >= kWorthDeflating &&
         !(kind == ObjectKind::kTree && content.size() > kLargeTree);
}

base::Error damaged(const ObjectFacts& facts) {
  return base::corruption("object " + facts.id.to_hex() + " is damaged in the store");
}

}  // namespace

std::uint32_t checksum(std::string_view bytes, std::uint32_t start) {
  uLong crc = start;
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), kChunk);
    crc = ::crc32(crc, input_of(bytes), static_cast<uInt>(count));
    bytes.remove_prefix(count);
  }
  return static_cast<std::uint32_t>(crc);
}

std::shared_ptr<const StoredObject> store_form(const ObjectId& id, ObjectKind kind,
                                               std::string_view content) {
  auto object = std::make_shared<StoredObject>();
  object->facts = {.id = id, .kind = kind, .size = content.size()};
  if (worth_deflating(kind, content)) {
    object->bytes = deflated(content);
    object->facts.deflated = object->bytes.size() < content.size();
  }
  if (!object->facts.deflated) object->bytes = content;
  object->facts.stored_size = object->bytes.size();
  object->facts.crc = checksum(object->bytes);
  return object;
}

base::Result<std::string> content_of(const ObjectFacts& facts, std::string_view bytes) {
  if (bytes.size() != facts.stored_size || checksum(bytes) != facts.crc) return damaged(facts);
  if (!facts.deflated) {
    if (bytes.size() != facts.size) return damaged(facts);
    return std::string(bytes);
  }
  if (facts.size / kLargestRatio > bytes.size()) return damaged(facts);
  std::string content(facts.size, '\0');
  uLongf size = content.size();
  uLong used = bytes.size();
  const int status =
      ::uncompress2(reinterpret_cast<Bytef*>(content.data()), &size, input_of(bytes), &used);
  if (status != Z_OK || size != facts.size || used != bytes.size()) return damaged(facts);
  return content;
}

}  // namespace clever::git::internal
