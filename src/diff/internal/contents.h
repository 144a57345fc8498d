#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "git/object_store.h"

namespace clever::diff::internal {

/// A regular file, executable or not.
[[nodiscard]] bool is_file(const std::optional<git::Node>& node);
/// Whether both are of the same kind: files, links, submodules.
[[nodiscard]] bool same_kind(git::FileMode one, git::FileMode other);

/// In bytes; for a submodule, of the line that represents it.
[[nodiscard]] base::Result<std::uint64_t> size_of(git::ObjectStore& store, const git::Node& node);
/// A file's bytes, a link's target, or git's line for a submodule. Nothing: "".
[[nodiscard]] base::Result<std::string> content_of(git::ObjectStore& store,
                                                   const std::optional<git::Node>& node);

}  // namespace clever::diff::internal
