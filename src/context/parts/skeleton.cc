#include <algorithm>
#include <set>
#include <unordered_map>

#include "context/internal/text_of.h"
#include "context/parts/internal/lines.h"
#include "context/parts/parts.h"

namespace clever::context {
namespace {

/// More folders than any skeleton has room for.
constexpr std::size_t kMostFolders = 400;
constexpr std::size_t kMostFilesShown = 40;

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

/// Lists the members of the most important files, which a child plan works on, then the folders,
/// large ones first.
class TreeSkeleton final : public SkeletonMaker {
 public:
  [[nodiscard]] std::string make(const Question& question, const std::vector<Fragment>& fragments,
                                 const TokenCounter& counter, std::size_t tokens) const override {
    if (question.view == nullptr || question.view->size() == 0 || tokens == 0) return {};
    auto lines = folders(*question.view);
    const std::size_t half = tokens / 2;
    std::string text = internal::as_many_lines(members(*question.view, fragments), counter, half);
    const std::size_t used = text.empty() ? 0 : counter.count(text);
    // Reserves one token, because joining the two may cost one.
    if (used + 1 < tokens) text += internal::as_many_lines(lines, counter, tokens - used - 1);
    return counter.count(text) <= tokens ? text : std::string{};
  }

 private:
  static std::vector<std::string> folders(const index::View& view) {
    auto order = folder_sizes(view);
    const std::size_t kept = std::min(order.size(), kMostFolders);
    const auto is_ahead = [](const Folder& a, const Folder& b) {
      return a.files != b.files ? a.files > b.files : a.path < b.path;
    };
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept), is_ahead);
    order.resize(kept);
    std::vector<std::string> lines = {internal::text_of("Folders (", view.size(), " files):\n")};
    for (const auto& [folder, files] : order) {
      lines.push_back(internal::text_of(folder.empty() ? "." : folder, "/ ", files, "\n"));
    }
    return lines;
  }

  struct Folder {
    std::string_view path;
    std::size_t files = 0;
  };

  /// Files come in path order, so most share the folder of their predecessor: one look-up for each
  /// run of them.
  static std::vector<Folder> folder_sizes(const index::View& view) {
    std::vector<Folder> folders;
    std::unordered_map<std::string_view, std::size_t> numbers;
    std::size_t now = 0;
    for (index::FileNumber file = 0; file < view.size(); ++file) {
      const std::string_view folder = folder_of(view.path(file));
      if (folders.empty() || folders[now].path != folder) {
        now = numbers.try_emplace(folder, folders.size()).first->second;
        if (now == folders.size()) folders.push_back({folder});
      }
      ++folders[now].files;
    }
    return folders;
  }

  static std::vector<std::string> members(const index::View& view,
                                          const std::vector<Fragment>& fragments) {
    std::vector<std::string> lines;
    std::set<std::string> seen;
    for (const auto& fragment : fragments) {
      const auto file = view.find(fragment.path);
      if (!file || lines.size() >= kMostFilesShown || !seen.insert(fragment.path).second) continue;
      const auto syntax = view.syntax(*file);
      if (!syntax) continue;
      std::string line = fragment.path + ":";
      for (const auto& symbol : syntax->symbols) {
        if (symbol.parent < 0 && line.size() < 400) line += " " + symbol.name;
      }
      lines.push_back(line + "\n");
    }
    return lines;
  }
};

class NoSkeleton final : public SkeletonMaker {
 public:
  [[nodiscard]] std::string make(const Question& /*question*/,
                                 const std::vector<Fragment>& /*fragments*/,
                                 const TokenCounter& /*counter*/,
                                 std::size_t /*tokens*/) const override {
    return {};
  }
};

}  // namespace

std::shared_ptr<const SkeletonMaker> tree_skeleton() { return std::make_shared<TreeSkeleton>(); }
std::shared_ptr<const SkeletonMaker> no_skeleton() { return std::make_shared<NoSkeleton>(); }

}  // namespace clever::context
