#include "sandbox/workspace/internal/links.h"

#include <deque>
#include <string_view>

namespace clever::sandbox::internal {
namespace {

using git::FileMode;
using git::Node;
using git::printable;
using git::TreePath;

constexpr std::size_t kMostLinks = 40;
constexpr std::size_t kLongestTarget = 4096;

class Walk {
 public:
  Walk(git::ObjectStore& store, const Layers& layers, const std::filesystem::path& root,
       const TreePath& path, LastLink last)
      : store_(store), layers_(layers), root_(root), asked_(path), last_(last) {
    push_front(path.text());
  }

  base::Result<Place> run() {
    while (!todo_.empty()) CLEVER_TRY(step());
    if (done_.empty()) {
      return base::invalid_argument(printable(asked_.text()) + " leads to the root folder itself");
    }
    CLEVER_ASSIGN(TreePath path, TreePath::parse(done_));
    return Place{std::move(path), node_, std::move(links_)};
  }

 private:
  void push_front(std::string_view path) {
    std::size_t end = path.size();
    while (end > 0) {
      const std::size_t slash = path.rfind('/', end - 1);
      const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
      if (begin < end) todo_.emplace_front(path.substr(begin, end - begin));
      end = begin == 0 ? 0 : begin - 1;
    }
  }

  base::Result<void> step() {
    const std::string name = std::move(todo_.front());
    todo_.pop_front();
    if (name == ".") return {};
    if (name == "..") return up();
    const std::string path = done_.empty() ? name : done_ + "/" + name;
    // Checked before the look-up: a link may name .git.
    CLEVER_TRY(TreePath::parse(path));
    CLEVER_ASSIGN(node_, find(store_, layers_, path));
    const bool more = !todo_.empty();
    if (node_ && node_->mode == FileMode::kLink && (more || last_ == LastLink::kFollow)) {
      return follow(path);
    }
    if (more) CLEVER_TRY(check_folder(path));
    done_ = path;
    return {};
  }

  base::Result<void> up() {
    if (done_.empty()) return leads_out();
    const std::size_t slash = done_.rfind('/');
    done_.resize(slash == std::string::npos ? 0 : slash);
    node_ = Node{.mode = FileMode::kDirectory};
    return {};
  }

  base::Result<void> follow(const std::string& path) {
    links_.push_back(path);
    if (links_.size() > kMostLinks) {
      return base::invalid_argument(printable(asked_.text()) +
                                    " leads through more than 40 links, or in a circle");
    }
    CLEVER_ASSIGN(std::string target, store_.blob(node_->id, kLongestTarget));
    if (target.starts_with('/')) {
      done_.clear();
      const std::string root = root_.string();
      const bool inside = target == root || target.starts_with(root + "/");
      if (!inside || root.empty()) return leads_out();
      target.erase(0, root.size());
    }
    push_front(target);
    return {};
  }

  [[nodiscard]] base::Error leads_out() const {
    return base::permission_denied(printable(asked_.text()) +
                                   " leads out of the workspace, by the link " +
                                   printable(links_.empty() ? asked_.text() : links_.back()) +
                                   "; links are followed only within");
  }

  [[nodiscard]] base::Result<void> check_folder(const std::string& path) const {
    if (!node_ || is_folder(*node_)) return {};
    if (node_->mode == FileMode::kSubmodule) {
      return base::permission_denied(printable(path) +
                                     " is a submodule: a repository of its own, whose files are "
                                     "not part of the workspace");
    }
    return base::invalid_argument(printable(path) + " is a file, not a folder");
  }

  git::ObjectStore& store_;
  const Layers& layers_;
  const std::filesystem::path& root_;
  const TreePath& asked_;
  const LastLink last_;
  std::deque<std::string> todo_;
  std::string done_;
  std::optional<Node> node_;
  std::vector<std::string> links_;
};

}  // namespace

base::Result<Place> locate(git::ObjectStore& store, const Layers& layers,
                           const std::filesystem::path& root, const TreePath& path, LastLink last) {
  // A path that names a file has no link on its way.
  CLEVER_ASSIGN(const auto node, find(store, layers, path.text()));
  if (node && is_file(*node)) return Place{path, node};
  return Walk(store, layers, root, path, last).run();
}

}  // namespace clever::sandbox::internal
