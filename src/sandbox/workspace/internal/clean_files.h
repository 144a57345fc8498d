#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/object_id.h"
#include "io/directory.h"

namespace clever::sandbox::internal {

/// By what git's index recognises a file that was not touched.
struct CleanMark {
  std::uint32_t modified_seconds = 0;
  std::uint32_t modified_nanoseconds = 0;
  std::uint32_t size = 0;
  std::uint32_t inode = 0;

  friend bool operator==(const CleanMark&, const CleanMark&) = default;
};

/// The files of the user's checkout that hold just what an object of theirs holds, by git's index:
/// reading them is many times faster than unpacking the object. Only ever reads. Kept for one
/// search: it costs memory for every file.
///
/// mark() from one thread; content() from any.
class CleanFiles {
 public:
  /// Nothing if the folder is no repository's, or its index cannot be read.
  [[nodiscard]] static std::unique_ptr<CleanFiles> open(const std::filesystem::path& root);
  virtual ~CleanFiles() = default;

  /// If the index says that the path held this object.
  [[nodiscard]] virtual std::optional<CleanMark> mark(const std::string& path,
                                                      const git::ObjectId& id) const = 0;
  /// Nothing if the file is not as the mark says, before or after reading it, or is larger.
  [[nodiscard]] virtual std::optional<std::string> content(const std::string& path,
                                                           const CleanMark& mark,
                                                           std::size_t limit) const = 0;
};

}  // namespace clever::sandbox::internal
