#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/directory.h"

// Files in a folder that an agent writes to: whatever it put there, nothing outside is read or
// written.
namespace clever::engine {

/// Makes the file, with the folders above it, in place of whatever is in the way. Readable by its
/// owner alone.
[[nodiscard]] base::Result<void> put_private_file(const io::Directory& home,
                                                  const std::string& path,
                                                  std::string_view content);

/// "~/.claude/settings.json" → ".claude/settings.json".
[[nodiscard]] std::string below_home(std::string_view path);

}  // namespace clever::engine
