#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/object_id.h"
#include "git/tree_entry.h"

namespace clever::git::internal {

/// The facts of an object, known without reading it. A value.
struct ObjectFacts {
  ObjectId id;
  ObjectKind kind = ObjectKind::kBlob;
  /// Whether the bytes are a zlib stream of the content, or the content itself.
  bool deflated = false;
  /// The checksum of the stored bytes.
  std::uint32_t crc = 0;
  std::uint64_t stored_size = 0;
  /// The size of the content.
  std::uint64_t size = 0;

  friend bool operator==(const ObjectFacts&, const ObjectFacts&) = default;
};

/// An object in its stored form. Immutable, and shared by its readers and writer.
struct StoredObject {
  ObjectFacts facts;
  std::string bytes;
};

/// Chooses whether to deflate it.
[[nodiscard]] std::shared_ptr<const StoredObject> store_form(const ObjectId& id, ObjectKind kind,
                                                             std::string_view content);

/// Returns the content; `corruption` if the bytes changed.
[[nodiscard]] base::Result<std::string> content_of(const ObjectFacts& facts,
                                                   std::string_view bytes);

[[nodiscard]] std::uint32_t checksum(std::string_view bytes, std::uint32_t start = 0);

}  // namespace clever::git::internal
