#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "git/object_id.h"

namespace clever::git {

enum class ObjectKind : std::uint8_t { kCommit = 1, kTree = 2, kBlob = 3, kTag = 4 };
[[nodiscard]] std::string_view to_string(ObjectKind kind) noexcept;

/// The kind of a tree entry; the values are git's.
enum class FileMode : std::uint32_t {
  kDirectory = 0040000,
  kFile = 0100644,
  kExecutable = 0100755,
  kLink = 0120000,
  kSubmodule = 0160000,
};
/// "100644", as git writes it.
[[nodiscard]] std::string to_string(FileMode mode);

/// A file, link or submodule of a tree. A value.
struct Node {
  FileMode mode = FileMode::kFile;
  ObjectId id{};

  friend constexpr auto operator<=>(const Node&, const Node&) = default;
};

/// A name in one folder. A value.
struct TreeEntry {
  std::string name;
  Node node;

  friend bool operator==(const TreeEntry&, const TreeEntry&) = default;
};

}  // namespace clever::git
