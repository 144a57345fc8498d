#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// A mount, or a tree of them, held by descriptor, detached until it is attached. Built from host
/// paths before the root changes, and attached to places of the new root afterwards, so that no
/// path is resolved in the wrong root.
///
/// Used in its own mount namespace, by one thread. Failures are `unavailable` if the kernel refuses
/// a kind of mount, else they name the path.
class MountTree {
 public:
  enum class Access : std::uint8_t { kReadOnly, kWritable, kDevice };

  /// A host path, with everything mounted below.
  [[nodiscard]] static base::Result<MountTree> of_host(const std::filesystem::path& path,
                                                       Access access);
  /// Empty, in memory.
  [[nodiscard]] static base::Result<MountTree> temporary(mode_t mode);
  [[nodiscard]] static base::Result<MountTree> overlay(
      const std::vector<std::filesystem::path>& lower, const std::filesystem::path& upper,
      const std::filesystem::path& work);
  /// The processes of this namespace, read-only.
  [[nodiscard]] static base::Result<MountTree> processes();
  [[nodiscard]] static base::Result<MountTree> terminals();

  /// Attaches it to the place of a descriptor.
  [[nodiscard]] base::Result<void> attach(const io::FileDescriptor& place) const;
  /// Makes this mount (not those below) unchangeable.
  [[nodiscard]] base::Result<void> seal() const;
  [[nodiscard]] int descriptor() const noexcept { return tree_.number(); }

 private:
  explicit MountTree(io::FileDescriptor tree) noexcept : tree_(std::move(tree)) {}
  static base::Result<MountTree> create(const char* type,
                                        const std::vector<std::pair<std::string, std::string>>&,
                                        unsigned attributes);

  io::FileDescriptor tree_;
};

}  // namespace clever::confine::internal
