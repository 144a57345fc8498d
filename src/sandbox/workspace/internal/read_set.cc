#include "sandbox/workspace/internal/read_set.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace clever::sandbox::internal {
namespace {

// "a/b/c" → "a/b/", "a/b/" → "a/", "c" → "/".
std::string folder_mark(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "/" : std::string(path.substr(0, slash + 1));
}

bool is_marked(const std::set<std::string>& paths, std::string path) {
  while (path != "/") {
    path = folder_mark(path);
    if (paths.contains(path)) return true;
  }
  return false;
}

std::size_t depth(const std::string& path) {
  return static_cast<std::size_t>(std::ranges::count(path, '/'));
}

void coarsen(std::set<std::string>& paths) {
  std::size_t deepest = 0;
  for (const std::string& path : paths) deepest = std::max(deepest, depth(path));
  std::set<std::string> coarser;
  for (const std::string& path : paths) {
    coarser.insert(depth(path) == deepest ? folder_mark(path) : path);
  }
  std::erase_if(coarser, [&](const std::string& path) { return is_marked(coarser, path); });
  paths = std::move(coarser);
}

}  // namespace

void ReadSet::add(std::string path) {
  paths_.with([&](std::set<std::string>& paths) {
    if (is_marked(paths, path)) return;
    paths.insert(std::move(path));
    // Shrinks further than needed, so that the next call does not cost as much again.
    if (paths.size() > most_) {
      while (paths.size() > most_ - most_ / 4) coarsen(paths);
    }
  });
}

std::set<std::string> ReadSet::all() const {
  return paths_.with([](const std::set<std::string>& paths) { return paths; });
}

}  // namespace clever::sandbox::internal
