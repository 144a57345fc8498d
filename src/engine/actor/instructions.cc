#include <algorithm>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "engine/actor/internal/base_files.h"
#include "engine/actor/turn_request.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

constexpr std::size_t kLongestInstructions = std::size_t{64} << 10U;
constexpr std::size_t kLargestRead = std::size_t{4} << 20U;
constexpr std::size_t kMostInstructionFiles = 32;
constexpr std::size_t kMostFolders = 1000;

// Returns the root, then the folders above the paths; outer folders first.
std::vector<std::string> folders_above(const sandbox::Workspace& workspace,
                                       const std::vector<std::string>& paths) {
  std::set<std::string> folders = {""};
  for (const std::string& text : paths) {
    const auto path = workspace.resolve(text);
    if (!path.ok()) continue;
    // A path may be a folder, whose own instructions count too.
    for (std::string_view at = path->text(); !at.empty();) {
      if (folders.size() >= kMostFolders) break;
      folders.emplace(at);
      const std::size_t slash = at.rfind('/');
      at = at.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
  }
  std::vector<std::string> sorted(folders.begin(), folders.end());
  std::ranges::sort(sorted, {}, [](const std::string& folder) {
    return std::pair(folder.empty() ? -1 : std::ranges::count(folder, '/'),
                     std::string_view(folder));
  });
  return sorted;
}

std::string where(const std::string& folder) {
  if (folder.empty()) return "for the whole project";
  return "for " + git::printable(folder) +
         "/ and below; where it differs from those before, it wins";
}

base::Result<std::optional<ContextFragment>> instructions_in(sandbox::Workspace& workspace,
                                                             const std::string& folder) {
  for (const std::string_view name : {"AGENTS.md", "CLAUDE.md"}) {
    const auto path =
        git::TreePath::parse(folder.empty() ? std::string(name) : folder + "/" + std::string(name));
    if (!path.ok()) continue;
    CLEVER_ASSIGN(const auto node,
                  internal::file_at(workspace.store(), workspace.base().tree, *path));
    if (!node) continue;
    const auto content = workspace.store().blob(node->id, kLargestRead);
    if (!content.ok()) continue;
    const std::string text = base::to_valid_utf8(*content);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    return std::optional<ContextFragment>({.path = git::printable(path->text()),
                                           .text = tool::cut_middle(text, kLongestInstructions),
                                           .why = where(folder)});
  }
  return std::optional<ContextFragment>();
}

}  // namespace

base::Result<std::vector<ContextFragment>> instructions_for(sandbox::Workspace& workspace,
                                                            const std::vector<std::string>& paths) {
  std::vector<ContextFragment> found;
  for (const std::string& folder : folders_above(workspace, paths)) {
    CLEVER_ASSIGN(auto instructions, instructions_in(workspace, folder));
    if (instructions) found.push_back(std::move(*instructions));
    if (found.size() >= kMostInstructionFiles) break;
  }
  return found;
}

}  // namespace clever::engine
