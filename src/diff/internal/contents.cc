#include "diff/internal/contents.h"

#include <limits>

namespace clever::diff::internal {
namespace {

std::string submodule_line(const git::ObjectId& commit) {
  return "Subproject commit " + commit.to_hex() + "\n";
}

git::FileMode kind_of(git::FileMode mode) {
  return mode == git::FileMode::kExecutable ? git::FileMode::kFile : mode;
}

}  // namespace

bool is_file(const std::optional<git::Node>& node) {
  return node && kind_of(node->mode) == git::FileMode::kFile;
}

bool same_kind(git::FileMode one, git::FileMode other) { return kind_of(one) == kind_of(other); }

base::Result<std::uint64_t> size_of(git::ObjectStore& store, const git::Node& node) {
  if (node.mode == git::FileMode::kSubmodule) return submodule_line(node.id).size();
  CLEVER_ASSIGN(const git::ObjectStore::Header header, store.header(node.id));
  return header.size;
}

base::Result<std::string> content_of(git::ObjectStore& store,
                                     const std::optional<git::Node>& node) {
  if (!node) return std::string();
  if (node->mode == git::FileMode::kSubmodule) return submodule_line(node->id);
  return store.blob(node->id, std::numeric_limits<std::size_t>::max());
}

}  // namespace clever::diff::internal
