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

/// A mount, or a tree of them, that is held by descriptor and lies nowhere until it is attached.
/// Built from paths of the host before the root changes, attached to places of the new root
/// afterwards: what a path means is never asked in the wrong world.
///
/// Used in a mount namespace of its own, by one thread. Failures are `unavailable` where the kernel
/// refuses a kind of mount, else they name the path.
class MountTree {
 public:
  enum class Access : std::uint8_t { kReadOnly, kWritable, kDevice };

  /// What lies at a path of the host, with everything mounted below.
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

  /// To the place that a descriptor names.
  [[nodiscard]] base::Result<void> attach(const io::FileDescriptor& place) const;
  /// Nothing of this mount (not of those below) can be changed any more.
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
