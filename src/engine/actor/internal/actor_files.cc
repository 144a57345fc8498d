#include "engine/actor/internal/actor_files.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "git/tree.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kMostFiles = 10'000'000;
constexpr std::size_t kMostMatches = 200'000;
// Up to this many files are looked up one by one.
constexpr std::size_t kFewFiles = 64;

// Returns the files that are among the paths, or below a path that is a folder.
std::vector<std::string> chosen(std::vector<std::string> files,
                                const std::vector<std::string>& paths) {
  if (paths.empty()) return files;
  const std::set<std::string_view> wanted(paths.begin(), paths.end());
  std::erase_if(files, [&](const std::string& file) {
    for (std::string_view at = file;;) {
      if (wanted.contains(at)) return false;
      const std::size_t slash = at.rfind('/');
      if (slash == std::string_view::npos) return true;
      at = at.substr(0, slash);
    }
  });
  return files;
}

}  // namespace

base::Result<std::vector<std::string>> files_matching(sandbox::Workspace& workspace,
                                                      std::string_view glob,
                                                      const std::vector<std::string>& paths,
                                                      const base::StopToken& stop) {
  CLEVER_ASSIGN(sandbox::Workspace::Listing listing, workspace.list(glob, kMostFiles, stop));
  return chosen(std::move(listing.paths), paths);
}

base::Result<std::vector<std::string>> candidates(sandbox::Workspace& workspace,
                                                  std::string_view glob,
                                                  const std::vector<std::string>& paths,
                                                  const std::string& plain_text,
                                                  const base::StopToken& stop) {
  const bool searchable = paths.empty() && !plain_text.empty() && !plain_text.contains('\n');
  if (!searchable) return files_matching(workspace, glob, paths, stop);
  CLEVER_ASSIGN(
      const sandbox::SearchResult found,
      workspace.search(
          {.pattern = plain_text, .glob = std::string(glob), .max_results = kMostMatches}, stop));
  if (found.truncated) return files_matching(workspace, glob, paths, stop);
  std::vector<std::string> files;
  for (const sandbox::Match& match : found.matches) {
    if (files.empty() || files.back() != match.path) files.push_back(match.path);
  }
  return files;
}

base::Result<TextReader> TextReader::of(sandbox::Workspace& workspace,
                                        const std::vector<std::string>& files,
                                        const base::StopToken& stop) {
  CLEVER_ASSIGN(const git::ObjectId tree, workspace.tree());
  TextReader reader(workspace);
  if (files.size() <= kFewFiles) {
    for (const std::string& file : files) {
      CLEVER_ASSIGN(const git::TreePath path, git::TreePath::parse(file));
      CLEVER_ASSIGN(const auto node, git::find(workspace.store(), tree, path));
      if (node) reader.nodes_.emplace(file, *node);
    }
    return reader;
  }
  const std::unordered_set<std::string_view> wanted(files.begin(), files.end());
  CLEVER_TRY(git::walk(
      workspace.store(), tree, std::nullopt,
      [&](const std::string& path, const git::Node& node) {
        if (wanted.contains(path)) reader.nodes_.emplace(path, node);
        return true;
      },
      stop));
  return reader;
}

base::Result<TextFile> TextReader::read(const std::string& path) const {
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) return TextFile{.unfit = "not there"};
  const git::Node* node = &found->second;
  if (node->mode == git::FileMode::kLink) return TextFile{.unfit = "a link"};
  if (node->mode == git::FileMode::kSubmodule) return TextFile{.unfit = "a submodule"};
  auto content = workspace_->store().blob(node->id, kLargestText);
  if (!content.ok()) {
    if (content.error().code() != base::ErrorCode::kResourceExhausted) return content.error();
    return TextFile{.unfit = "larger than 16 MiB"};
  }
  if (std::string_view(*content).substr(0, 8192).contains('\0')) return TextFile{.unfit = "binary"};
  return TextFile{.content = std::move(*content)};
}

}  // namespace clever::engine::internal
