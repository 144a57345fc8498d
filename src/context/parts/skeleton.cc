#include <algorithm>
#include <map>
#include <set>

#include "context/internal/text_of.h"
#include "context/parts/internal/lines.h"
#include "context/parts/parts.h"

namespace clever::context {
namespace {

/// More folders than any budget of a skeleton has room for.
constexpr std::size_t kMostFolders = 400;
constexpr std::size_t kMostFiles = 40;

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

/// The members of the files that matter first, since a child plan works on those; then the folders,
/// the large ones first.
class TreeSkeleton final : public SkeletonMaker {
 public:
  [[nodiscard]] std::string make(const Question& question, const std::vector<Fragment>& fragments,
                                 const TokenCounter& counter, std::size_t tokens) const override {
    if (question.view == nullptr || question.view->size() == 0 || tokens == 0) return {};
    auto lines = folders(*question.view);
    const std::size_t half = tokens / 2;
    std::string text = internal::as_many_lines(members(*question.view, fragments), counter, half);
    const std::size_t used = text.empty() ? 0 : counter.count(text);
    // One token between the two for what joining them may cost.
    if (used + 1 < tokens) text += internal::as_many_lines(lines, counter, tokens - used - 1);
    return counter.count(text) <= tokens ? text : std::string{};
  }

 private:
  static std::vector<std::string> folders(const index::View& view) {
    std::map<std::string_view, std::size_t> sizes;
    for (index::FileNumber file = 0; file < view.size(); ++file)
      ++sizes[folder_of(view.path(file))];
    std::vector<std::pair<std::string_view, std::size_t>> order(sizes.begin(), sizes.end());
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    order.resize(std::min(order.size(), kMostFolders));
    std::vector<std::string> lines = {internal::text_of("Folders (", view.size(), " files):\n")};
    for (const auto& [folder, files] : order) {
      lines.push_back(internal::text_of(folder.empty() ? "." : folder, "/ ", files, "\n"));
    }
    return lines;
  }

  static std::vector<std::string> members(const index::View& view,
                                          const std::vector<Fragment>& fragments) {
    std::vector<std::string> lines;
    std::set<std::string> seen;
    for (const auto& fragment : fragments) {
      const auto file = view.find(fragment.path);
      if (!file || lines.size() >= kMostFiles || !seen.insert(fragment.path).second) continue;
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
