#include "git/internal/index_file.h"

#include <git2/index.h>

#include <cstring>
#include <memory>

#include "base/lock_rank.h"
#include "git/initialise.h"

namespace clever::git::internal {
namespace {

struct FreeIndex {
  void operator()(git_index* index) const noexcept { git_index_free(index); }
};

std::optional<FileMode> mode_of(std::uint32_t mode) {
  switch (static_cast<FileMode>(mode)) {
    case FileMode::kFile:
    case FileMode::kExecutable:
    case FileMode::kLink:
    case FileMode::kSubmodule:
      return static_cast<FileMode>(mode);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::vector<IndexedPath>> read_index_file(const std::filesystem::path& file) {
  base::lock_rank::require_none("reading an index");
  initialise();
  git_index* opened = nullptr;
  if (git_index_open(&opened, file.c_str()) != 0) return std::nullopt;
  const std::unique_ptr<git_index, FreeIndex> index(opened);
  const std::size_t count = git_index_entrycount(opened);
  std::vector<IndexedPath> paths;
  paths.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const git_index_entry* entry = git_index_get_byindex(opened, i);
    const auto mode = mode_of(entry->mode);
    if (!mode) return std::nullopt;
    ObjectId::Bytes id{};
    std::memcpy(id.data(), entry->id.id, id.size());
    paths.push_back({.path = entry->path, .node = {.mode = *mode, .id = ObjectId(id)}});
  }
  return paths;
}

}  // namespace clever::git::internal
