#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/directory.h"

namespace clever::index::internal {

/// The list of segments. A value; its file is replaced as a whole.
struct Manifest {
  /// The facts of a segment's file when it was written and synced: while they stay the same, the
  /// file is unchanged and need not be verified again.
  struct Entry {
    std::string name{};
    std::uint64_t size = 0;
    std::uint64_t inode = 0;
    std::int64_t changed_ns = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> segments{};
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

[[nodiscard]] std::string to_text(const Manifest& manifest);
/// `corruption` for anything that to_text() did not write.
[[nodiscard]] base::Result<Manifest> parse_manifest(std::string_view text);

/// Describes a segment's file as it is now.
[[nodiscard]] base::Result<Manifest::Entry> manifest_entry(const io::Directory& folder,
                                                           const std::string& name);

}  // namespace clever::index::internal
