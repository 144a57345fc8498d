// Lists a project's files in few bytes: opens folders from the top down while there is room.
#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include "engine/actor/internal/base_files.h"
#include "tool/output_text.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kAlwaysOpened = 512;

struct Folder {
  std::string_view path;  // without a slash at its end; empty: the root
  std::vector<std::string_view> names{};
  std::vector<std::size_t> folders{};
  std::uint64_t files = 0;
  bool open = false;
};

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string shown_name(std::string_view name) {
  std::string text = git::printable(name);
  return text.contains(' ') ? "\"" + text + "\"" : text;
}

std::string folder_name(const Folder& folder) {
  return folder.path.empty() ? "./" : shown_name(folder.path) + "/";
}

std::string open_line(const Folder& folder) {
  if (folder.names.empty()) return {};
  std::string line = folder_name(folder) + ":";
  for (const std::string_view name : folder.names) line += " " + shown_name(name);
  return line + "\n";
}

std::string closed_line(const Folder& folder) {
  return folder_name(folder) + ": " + tool::counted(folder.files, "file") + ", not listed\n";
}

class FolderTree {
 public:
  explicit FolderTree(const TreeNames& names) {
    folders_.push_back({.path = {}});
    index_[{}] = 0;
    names.each([&](std::string_view path) { add(path); });
  }

  [[nodiscard]] std::string shortened(const std::vector<std::string>& focus, std::size_t budget) {
    mark_wanted(focus);
    const std::string root = open_line(folders_[0]);
    if (root.size() + closed_size(folders_[0]) > budget) return cut_root(budget);
    used_ = root.size() + closed_size(folders_[0]);
    folders_[0].open = true;
    open_all(budget, true);
    open_all(budget, false);
    return text(0);
  }

 private:
  void add(std::string_view path) {
    const std::size_t own = place(folder_of(path));
    folders_[own].names.push_back(path.substr(path.rfind('/') + 1));
    for (std::string_view above = folder_of(path);; above = folder_of(above)) {
      ++folders_[index_.at(above)].files;
      if (above.empty()) break;
    }
  }
  std::size_t place(std::string_view path) {
    if (const auto found = index_.find(path); found != index_.end()) return found->second;
    const std::size_t above = place(folder_of(path));
    folders_.push_back({.path = path});
    folders_[above].folders.push_back(folders_.size() - 1);
    return index_[path] = folders_.size() - 1;
  }

  void mark_wanted(const std::vector<std::string>& focus) {
    for (std::string_view path : focus) {
      while (path.ends_with('/')) path.remove_suffix(1);
      for (; !path.empty(); path = folder_of(path)) wanted_.insert(path);
    }
  }
  [[nodiscard]] std::size_t closed_size(const Folder& folder) const {
    std::size_t size = 0;
    for (const std::size_t child : folder.folders) size += closed_line(folders_[child]).size();
    return size;
  }

  // Works level by level, so that a deep folder does not take the room of its neighbours' tops.
  void open_all(std::size_t budget, bool only_wanted) {
    std::deque<std::size_t> next(folders_[0].folders.begin(), folders_[0].folders.end());
    for (; !next.empty(); next.pop_front()) {
      Folder& folder = folders_[next.front()];
      if (only_wanted && !wanted_.contains(folder.path)) continue;
      if (!folder.open) open(folder, budget, only_wanted);
      if (folder.open) next.insert(next.end(), folder.folders.begin(), folder.folders.end());
    }
  }
  void open(Folder& folder, std::size_t budget, bool wanted) {
    const std::size_t before = closed_line(folder).size();
    const std::size_t after = open_line(folder).size() + closed_size(folder);
    const std::size_t left = budget - used_ + before;
    const std::size_t share = wanted ? left : std::max(left / 3, kAlwaysOpened);
    if (after > left || after > share) return;
    folder.open = true;
    used_ = used_ - before + after;
  }

  [[nodiscard]] std::string text(std::size_t at) const {
    const Folder& folder = folders_[at];
    if (!folder.open) return closed_line(folder);
    std::string lines = open_line(folder);
    for (const std::size_t child : folder.folders) lines += text(child);
    return lines;
  }

  // The root itself has too many names: shows as many as fit.
  [[nodiscard]] std::string cut_root(std::size_t budget) const {
    const std::string rest = "… " + tool::counted(folders_[0].files, "file") + " in all\n";
    if (rest.size() > budget) return {};
    std::string line = "./:";
    for (const std::string_view name : folders_[0].names) {
      const std::string next = " " + shown_name(name);
      if (line.size() + next.size() + 1 + rest.size() > budget) break;
      line += next;
    }
    return line.ends_with(':') ? rest : line + "\n" + rest;
  }

  std::vector<Folder> folders_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::set<std::string_view> wanted_;
  std::size_t used_ = 0;
};

}  // namespace

std::string listing_of(const TreeNames& names, const std::vector<std::string>& focus,
                       std::size_t budget) {
  return FolderTree(names).shortened(focus, budget);
}

}  // namespace clever::engine::internal
