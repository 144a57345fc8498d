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

/// How git's index recognises an untouched file.
struct CleanMark {
  std::uint32_t modified_seconds = 0;
  std::uint32_t modified_nanoseconds = 0;
  std::uint32_t size = 0;
  std::uint32_t inode = 0;

  friend bool operator==(const CleanMark&, const CleanMark&) = default;
};

/// Files of the user's checkout that git's index proves equal to an object: reading them is many
/// times faster than unpacking the object. Read-only. Kept for one search, because it costs memory
/// for every file.
///
/// mark() from one thread; content() from any.
class CleanFiles {
 public:
  /// Nothing if the folder has no repository, or its index cannot be read.
  [[nodiscard]] static std::unique_ptr<CleanFiles> open(const std::filesystem::path& root);
  ~CleanFiles();

  /// Set if the index says that the path had this object.
  [[nodiscard]] std::optional<CleanMark> mark(const std::string& path,
                                              const git::ObjectId& id) const;
  /// Nothing if the file differs from the mark, before or after reading it, or is larger.
  [[nodiscard]] std::optional<std::string> content(const std::string& path, const CleanMark& mark,
                                                   std::size_t limit) const;

 private:
  class Impl;
  explicit CleanFiles(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::sandbox::internal
