#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/actor/internal/replacer.h"
#include "sandbox/workspace.h"

namespace clever::engine::internal {

/// Larger files are left alone by what replaces text.
inline constexpr std::size_t kLargestText = std::size_t{16} << 20U;

/// What a file is to a step that works on text.
struct TextFile {
  std::string content{};
  /// Why it is left alone: "binary", "a link", …; empty: it is text.
  std::string_view unfit{};
};

/// Files that match the glob, sorted: among `paths` if there are any, else all.
[[nodiscard]] base::Result<std::vector<std::string>> files_matching(
    sandbox::Workspace& workspace, std::string_view glob, const std::vector<std::string>& paths,
    const base::StopToken& stop);

/// Files that may hold something to replace, sorted; all that do are among them.
[[nodiscard]] base::Result<std::vector<std::string>> candidates(
    sandbox::Workspace& workspace, std::string_view glob, const std::vector<std::string>& paths,
    const std::string& plain_text, const base::StopToken& stop);

/// Reads files of a workspace's tree as it is now, without it being noted that they were read.
class TextReader {
 public:
  /// Looks the files up in one go.
  [[nodiscard]] static base::Result<TextReader> of(sandbox::Workspace& workspace,
                                                   const std::vector<std::string>& files,
                                                   const base::StopToken& stop);
  [[nodiscard]] base::Result<TextFile> read(const std::string& path) const;

 private:
  explicit TextReader(sandbox::Workspace& workspace) : workspace_(&workspace) {}

  sandbox::Workspace* workspace_;
  std::unordered_map<std::string, git::Node> nodes_;
};

}  // namespace clever::engine::internal
