#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/object_id.h"
#include "git/tree_entry.h"

namespace clever::git::internal {

/// What is known about an object without reading it. A value.
struct ObjectFacts {
  ObjectId id;
  ObjectKind kind = ObjectKind::kBlob;
  /// Whether the bytes are a zlib stream of the content, or the content itself.
  bool deflated = false;
  /// Of the bytes as they are kept.
  std::uint32_t crc = 0;
  std::uint64_t stored_size = 0;
  /// Of the content.
  std::uint64_t size = 0;

  friend bool operator==(const ObjectFacts&, const ObjectFacts&) = default;
};

/// An object as a log keeps it. Immutable once made, and shared by those who read and who write it.
struct StoredObject {
  ObjectFacts facts;
  std::string bytes;
};

/// Chooses whether it is worth deflating.
[[nodiscard]] std::shared_ptr<const StoredObject> store_form(const ObjectId& id, ObjectKind kind,
                                                             std::string_view content);

/// The content again; `corruption` if the bytes are not what they were.
[[nodiscard]] base::Result<std::string> content_of(const ObjectFacts& facts,
                                                   std::string_view bytes);

[[nodiscard]] std::uint32_t checksum(std::string_view bytes, std::uint32_t start = 0);

}  // namespace clever::git::internal
