#include "git/internal/hidden_files.h"

#include <algorithm>
#include <utility>

#include "git/internal/in_quotes.h"

namespace clever::git::internal {
namespace {

// A longer text is not such a list.
constexpr std::size_t kLongestSettings = std::size_t{1} << 20U;
constexpr std::size_t kNamed = 3;

std::string_view without_slash(std::string_view path) {
  return path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
}

}  // namespace

std::vector<StatusEntry> HiddenFiles::without_hidden(std::vector<StatusEntry> entries,
                                                     const io::Directory& root) {
  std::erase_if(entries, [&](const StatusEntry& entry) {
    const auto content = [&]() -> base::Result<std::string> {
      auto present = root.read_file(entry.path, kLongestSettings);
      const bool gone = !present.ok() && present.error().code() == base::ErrorCode::kNotFound;
      if (!gone || !entry.committed) return present;
      return store_.blob(entry.committed->id, kLongestSettings);
    };
    const bool hides = secrets_.hides(without_slash(entry.path), content);
    (hides ? hidden_ : shown_).emplace(without_slash(entry.path));
    return hides;
  });
  return entries;
}

void HiddenFiles::add_blob(const std::string& path, const Node& node) {
  const auto content = [&] { return store_.blob(node.id, kLongestSettings); };
  if (!shown_.contains(path) && secrets_.hides(path, content)) hidden_.insert(path);
}

base::Result<void> HiddenFiles::add_tracked(const std::vector<IndexedPath>& indexed,
                                            const base::StopToken& stop) {
  for (const IndexedPath& entry : indexed) {
    if (entry.node.mode == FileMode::kDirectory) {
      CLEVER_TRY(add_tree(entry.node.id, std::string(without_slash(entry.path)) + "/", stop));
    } else {
      add_blob(entry.path, entry.node);
    }
  }
  return {};
}

base::Result<void> HiddenFiles::add_tree(const ObjectId& tree, const std::string& prefix,
                                         const base::StopToken& stop) {
  return walk(
      store_, tree, std::nullopt,
      [&](const std::string& path, const Node& node) {
        add_blob(prefix + path, node);
        return true;
      },
      stop);
}

base::Result<std::vector<TreeChange>> HiddenFiles::removals(const ObjectId& tree) {
  std::vector<TreeChange> changes;
  for (TreePath& path : paths()) {
    CLEVER_ASSIGN(const auto node, find(store_, tree, path));
    if (node) changes.push_back({.path = std::move(path), .to = std::nullopt});
  }
  return changes;
}

std::vector<TreePath> HiddenFiles::paths() const {
  std::vector<TreePath> paths;
  for (const std::string& text : hidden_) {
    if (auto path = TreePath::parse(text); path.ok()) paths.push_back(*std::move(path));
  }
  std::ranges::sort(paths);
  return paths;
}

std::string HiddenFiles::remark() const {
  const std::vector<TreePath> all = paths();
  std::string names;
  for (std::size_t i = 0; i < std::min(all.size(), kNamed); ++i) {
    names += (i == 0 ? "" : ", ") + in_quotes(all[i].text());
  }
  if (names.empty()) return names;
  if (all.size() > kNamed) names += " and " + std::to_string(all.size() - kNamed) + " more";
  return "models and commands do not see " + names +
         ": such files usually hold secrets (sandbox.include lists exceptions by name)";
}

}  // namespace clever::git::internal
