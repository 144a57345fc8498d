#include "index/internal/import_resolution.h"

#include <algorithm>
#include <array>
#include <string>

#include "index/internal/import_keys.h"
#include "index/internal/path_parts.h"

namespace clever::index::internal {
namespace {

// Files that stand for their folder.
constexpr std::array<std::string_view, 5> kFolderFiles{"index", "__init__", "mod", "lib", "main"};
// A Go package is all files of a folder; for a very large one, a single file says little.
constexpr std::size_t kMostOfPackage = 40;
constexpr std::size_t kMostTargets = 4;

bool is_relative_path(std::string_view import) {
  return import.starts_with("./") || import.starts_with("../");
}

// Counts how many names match the end of the folder, from the last.
std::size_t tail_in_folder(std::string_view folder, const std::vector<std::string_view>& parts,
                           std::size_t count) {
  std::size_t matched = 0;
  while (matched < count && !folder.empty()) {
    if (name_of(folder) != parts[count - 1 - matched]) break;
    ++matched;
    folder = folder_of(folder);
  }
  return matched;
}

std::size_t shared_folders(std::string_view left, std::string_view right) {
  const auto [end, ignored] = std::ranges::mismatch(left, right);
  return static_cast<std::size_t>(std::ranges::count(left.begin(), end, '/'));
}

struct Candidate {
  FileNumber file;
  std::size_t matched;
  std::size_t shared;
};

class Resolution {
 public:
  Resolution(const FileTable& table, FileNumber from, std::string_view import)
      : table_(table), from_(from), parts_(import_parts(import)), import_(import) {}

  std::vector<FileNumber> run() {
    if (parts_.empty()) return {};
    if (is_relative_path(import_)) return relative();
    if (auto files = of_names(parts_.size(), true); !files.empty()) return files;
    // The last name may be a symbol inside the file.
    return parts_.size() > 1 ? of_names(parts_.size() - 1, false) : std::vector<FileNumber>{};
  }

 private:
  std::vector<FileNumber> relative() {
    std::string path(folder_of(table_.paths()[from_]));
    std::string_view rest = import_;
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find('/'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        path = folder_of(path);
      } else {
        path += (path.empty() ? "" : "/") + std::string(part);
      }
    }
    if (const auto exact = table_.find(path)) return {*exact};
    return beside(path);
  }

  // "a/b" -> a/b.ts, a/b.test.ts not, a/b/index.ts.
  std::vector<FileNumber> beside(std::string_view path) {
    std::vector<FileNumber> files;
    const std::string_view wanted = stem_of_name(name_of(path));
    if (const auto* const stems = table_.with_stem(wanted)) {
      for (const FileNumber file : *stems) {
        const std::string& found = table_.paths()[file];
        const std::string_view name = name_of(found);
        if (folder_of(found) != folder_of(path)) continue;
        if (name.substr(0, name.rfind('.')) == name_of(path) || stem_matches(name, name_of(path))) {
          files.push_back(file);
        }
      }
    }
    if (const auto* const inside = table_.with_folder(name_of(path)); files.empty() && inside) {
      for (const FileNumber file : *inside) {
        const std::string& found = table_.paths()[file];
        if (folder_of(found) == path && stands_for_folder(found)) files.push_back(file);
      }
    }
    return files;
  }

  // "util.js" is written where the file is util.ts.
  static bool stem_matches(std::string_view name, std::string_view wanted) {
    return wanted.contains('.') &&
           name.substr(0, name.rfind('.')) == wanted.substr(0, wanted.rfind('.'));
  }

  static bool stands_for_folder(std::string_view path) {
    const std::string_view stem = stem_of_name(name_of(path));
    return std::ranges::find(kFolderFiles, stem) != kFolderFiles.end();
  }

  std::vector<FileNumber> of_names(std::size_t count, bool whole) {
    candidates_.clear();
    const std::string_view last = parts_[count - 1];
    const bool full_name = last.contains('.');
    if (const auto* const stems = table_.with_stem(stem_of_name(last))) {
      for (const FileNumber file : *stems) {
        const std::string_view path = table_.paths()[file];
        if (full_name && name_of(path) != last) continue;
        consider(file, 1 + tail_in_folder(folder_of(path), parts_, count - 1));
      }
    }
    if (const auto* const inside = table_.with_folder(last); !full_name && inside) {
      add_package(*inside, count);
    }
    // One name of several says too little; so does a package's outer name alone.
    const std::size_t enough = whole ? std::min<std::size_t>(2, count) : 2;
    return best(enough);
  }

  void add_package(const std::vector<FileNumber>& files, std::size_t count) {
    for (const FileNumber file : files) {
      const std::string_view path = table_.paths()[file];
      const bool go = path.ends_with(".go") && !path.ends_with("_test.go");
      if (go || stands_for_folder(path))
        consider(file, tail_in_folder(folder_of(path), parts_, count));
    }
  }

  void consider(FileNumber file, std::size_t matched) {
    if (file == from_) return;
    candidates_.push_back(
        {file, matched, shared_folders(table_.paths()[file], table_.paths()[from_])});
  }

  std::vector<FileNumber> best(std::size_t enough) {
    const auto better = [](const Candidate& left, const Candidate& right) {
      if (left.matched != right.matched) return left.matched > right.matched;
      return left.shared != right.shared ? left.shared > right.shared : left.file < right.file;
    };
    std::ranges::sort(candidates_, better);
    std::vector<FileNumber> files;
    for (const Candidate& one : candidates_) {
      const Candidate& first = candidates_.front();
      if (one.matched < enough || one.matched != first.matched || one.shared != first.shared) break;
      files.push_back(one.file);
    }
    const bool package = !files.empty() && table_.paths()[files[0]].ends_with(".go");
    if (files.size() > (package ? kMostOfPackage : kMostTargets)) return {};
    std::ranges::sort(files);
    return files;
  }

  const FileTable& table_;
  const FileNumber from_;
  const std::vector<std::string_view> parts_;
  const std::string_view import_;
  std::vector<Candidate> candidates_;
};

// ".util" and "..pkg.util" of Python, as a path.
std::string python_path(std::string_view import) {
  const std::size_t dots = std::min(import.find_first_not_of('.'), import.size());
  std::string path = dots == 1 ? "./" : "";
  for (std::size_t i = 1; i < dots; ++i) path += "../";
  std::string rest(import.substr(dots));
  std::ranges::replace(rest, '.', '/');
  return path + rest;
}

}  // namespace

std::vector<FileNumber> resolve_import(const FileTable& table, FileNumber from,
                                       std::string_view import) {
  if (import.starts_with('.') && !import.contains('/')) {
    const std::string path = python_path(import);
    return Resolution(table, from, path).run();
  }
  return Resolution(table, from, import).run();
}

}  // namespace clever::index::internal
