#include <algorithm>

#include "base/nearest.h"
#include "sandbox/workspace/internal/file_pattern.h"
#include "sandbox/workspace/internal/overlay_workspace.h"
#include "sandbox/workspace/internal/text_search.h"
#include "sandbox/workspace/internal/tree_search.h"

namespace clever::sandbox::internal {
namespace {

using git::FileMode;
using git::Node;
using git::printable;
using git::TreePath;

constexpr std::size_t kMostNamesakes = 3;
constexpr std::size_t kMostLookedAt = 100'000;

std::string joined(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

// Returns the names in a folder of the tree (empty: the root); none if the folder does not exist.
std::vector<std::string> names_in(git::ObjectStore& store, git::ObjectId tree,
                                  std::string_view folder) {
  if (!folder.empty()) {
    const auto path = TreePath::parse(folder);
    if (!path.ok()) return {};
    const auto node = git::find(store, tree, *path);
    if (!node.ok() || !*node || !is_folder(**node)) return {};
    tree = (*node)->id;
  }
  std::vector<std::string> names;
  if (const auto entries = store.tree(tree); entries.ok()) {
    for (const git::TreeEntry& entry : *entries) names.push_back(entry.name);
  }
  return names;
}

// Returns files with that name in other folders.
std::vector<std::string> namesakes(git::ObjectStore& store, const git::ObjectId& tree,
                                   std::string_view name) {
  std::vector<std::string> paths;
  std::size_t looked_at = 0;
  const auto walked =
      git::walk(store, tree, std::nullopt, [&](const std::string& path, const Node&) {
        const std::string_view last = std::string_view(path).substr(path.rfind('/') + 1);
        if (last == name) paths.push_back(path);
        return paths.size() < kMostNamesakes && ++looked_at < kMostLookedAt;
      });
  return walked.ok() ? paths : std::vector<std::string>();
}

}  // namespace

base::Error OverlayWorkspace::missing(const Layers& layers, const TreePath& path) {
  if (is_hidden(path)) return hidden_file(path);
  std::string message = "there is no file " + printable(path.text());
  const auto now = folded(*options_.store, layers);
  if (!now.ok()) return base::not_found(message);
  std::vector<std::string> near = namesakes(*options_.store, now->tree, path.name());
  const auto names = names_in(*options_.store, now->tree, path.folder());
  if (const auto name = base::nearest_match(path.name(), names)) {
    near.insert(near.begin(), joined(path.folder(), *name));
  }
  for (std::size_t i = 0; i < near.size(); ++i) {
    message += (i == 0 ? "; the nearest are " : ", ") + printable(near[i]);
  }
  return base::not_found(message);
}

base::Result<Place> OverlayWorkspace::place_to_read(const Layers& layers, const TreePath& path) {
  reads_.add(path.text());
  CLEVER_ASSIGN(Place place,
                locate(*options_.store, layers, options_.project_root, path, LastLink::kFollow));
  for (const std::string& link : place.links) reads_.add(link);
  if (!place.links.empty()) reads_.add(place.path.text());
  return place;
}

base::Result<FileContent> OverlayWorkspace::content_of(const Place& place, const TreePath& asked) {
  const std::string shown = printable(asked.text());
  if (is_folder(*place.node)) {
    return base::invalid_argument(shown + " is a folder; list its files, or read one of them");
  }
  if (place.node->mode == FileMode::kSubmodule) {
    return base::permission_denied(shown +
                                   " is a submodule: a repository of its own, whose files are not "
                                   "part of the workspace");
  }
  CLEVER_ASSIGN(
      std::string content,
      options_.store->blob(place.node->id, options_.largest_file).context("reading " + shown));
  const bool binary = is_binary(content);
  return FileContent{.content = std::move(content),
                     .executable = place.node->mode == FileMode::kExecutable,
                     .binary = binary};
}

base::Result<FileContent> OverlayWorkspace::read(const TreePath& path) {
  const Shared layers = current();
  CLEVER_ASSIGN(const Place place, place_to_read(*layers, path));
  if (!place.node) return missing(*layers, place.path);
  return content_of(place, path);
}

base::Result<Workspace::Listing> OverlayWorkspace::list(std::string_view glob, std::size_t limit,
                                                        const base::StopToken& stop) {
  CLEVER_ASSIGN(const FilePattern pattern, FilePattern::parse(glob));
  CLEVER_ASSIGN(const git::ObjectId now, tree());
  Listing listing;
  CLEVER_TRY(walk_matching(
      *options_.store, now, pattern,
      [&](const std::string& path, const Node&) {
        listing.truncated = listing.paths.size() >= limit;
        if (!listing.truncated) listing.paths.push_back(path);
        return !listing.truncated;
      },
      stop));
  return listing;
}

base::Result<SearchResult> OverlayWorkspace::search(const SearchOptions& options,
                                                    const base::StopToken& stop,
                                                    base::Deadline deadline) {
  CLEVER_ASSIGN(const FilePattern glob, FilePattern::parse(options.glob));
  CLEVER_ASSIGN(const auto text,
                TextSearch::of(options.pattern, options.regex, options.case_sensitive));
  CLEVER_ASSIGN(const git::ObjectId now, tree());
  const auto clean = CleanFiles::open(options_.project_root);
  const TreeSearch search{.store = *options_.store,
                          .glob = glob,
                          .text = *text,
                          .max_results = options.max_results,
                          .largest_file = options_.largest_file,
                          .clean = clean.get(),
                          .filtered = options_.base->filtered,
                          .pool = options_.pool};
  CLEVER_ASSIGN(SearchResult result, search_tree(search, now, stop, deadline));
  for (const Match& match : result.matches) reads_.add(match.path);
  return result;
}

}  // namespace clever::sandbox::internal
