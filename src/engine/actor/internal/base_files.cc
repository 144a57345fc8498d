#include "engine/actor/internal/base_files.h"

#include "git/tree.h"

namespace clever::engine::internal {
namespace {

constexpr int kMostLinks = 8;
constexpr std::size_t kMostNames = std::size_t{64} << 20U;

// Resolves a link in a folder; returns nothing if the target is outside the tree or missing.
std::optional<git::TreePath> target_of(std::string_view folder, std::string_view target) {
  if (target.starts_with('/')) return std::nullopt;
  std::string path(folder);
  while (!target.empty()) {
    const std::size_t end = std::min(target.find('/'), target.size());
    const std::string_view name = target.substr(0, end);
    target.remove_prefix(std::min(end + 1, target.size()));
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (path.empty()) return std::nullopt;
      const std::size_t slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    } else {
      path.append(path.empty() ? "" : "/").append(name);
    }
  }
  auto parsed = git::TreePath::parse(path);
  if (!parsed.ok()) return std::nullopt;
  return std::move(*parsed);
}

}  // namespace

base::Result<std::optional<git::Node>> file_at(git::ObjectStore& store, const git::ObjectId& tree,
                                               const git::TreePath& path) {
  git::TreePath at = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    CLEVER_ASSIGN(const std::optional<git::Node> node, git::find(store, tree, at));
    if (!node || node->mode == git::FileMode::kDirectory ||
        node->mode == git::FileMode::kSubmodule) {
      return std::optional<git::Node>();
    }
    if (node->mode != git::FileMode::kLink) return node;
    CLEVER_ASSIGN(const std::string target, store.blob(node->id, git::TreePath::kLongest));
    const auto next = target_of(at.folder(), target);
    if (!next) return std::optional<git::Node>();
    at = *next;
  }
  return std::optional<git::Node>();
}

base::Result<std::shared_ptr<const TreeNames>> TreeNames::of(git::ObjectStore& store,
                                                             const git::ObjectId& tree,
                                                             const base::StopToken& stop) {
  auto names = std::make_shared<TreeNames>();
  CLEVER_TRY(git::walk(
      store, tree, std::nullopt,
      [&](const std::string& path, const git::Node&) {
        names->truncated_ = names->names_.size() + path.size() >= kMostNames;
        if (names->truncated_) return false;
        names->names_.append(path).push_back('\0');
        ++names->count_;
        return true;
      },
      stop));
  return std::shared_ptr<const TreeNames>(std::move(names));
}

}  // namespace clever::engine::internal
