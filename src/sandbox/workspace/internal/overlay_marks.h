#pragma once
#include <string>

#include "base/result.h"
#include "io/directory.h"

// The kernel overlay's marks for "nothing is here" in the upper folder: a whiteout (a character
// device 0/0) hides a name of the layers below, and the attribute `opaque` hides everything they
// have in a folder. See overlayfs.rst, with `userxattr`.
namespace clever::sandbox::internal {

[[nodiscard]] bool is_whiteout(const io::Directory& folder, const std::string& name);
/// Creates a whiteout where nothing is. Needs no privilege (Linux 5.8).
base::Result<void> make_whiteout(const io::Directory& folder, const std::string& name);

[[nodiscard]] bool is_opaque(const io::Directory& folder);
base::Result<void> make_opaque(const io::Directory& folder);

/// "a socket", "a fifo", "a device": entries that are not a file, link or folder.
[[nodiscard]] std::string special_kind(const io::Directory& folder, const std::string& name);

/// Sets the modification time of a file, link or folder, in nanoseconds since 1970.
void set_modified(const io::Directory& folder, const std::string& name, std::int64_t modified);

}  // namespace clever::sandbox::internal
