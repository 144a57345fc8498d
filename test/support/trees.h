#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "git/object_store.h"
#include "git/tree.h"
#include "support/repository.h"
#include "support/temporary_directory.h"

// Trees for tests, written down as maps and made at random.
namespace clever::test_trees {

struct File {
  git::FileMode mode = git::FileMode::kFile;
  /// Of a submodule: 40 hexadecimal digits.
  std::string content;

  friend bool operator==(const File&, const File&) = default;
};
using Files = std::map<std::string, File>;

inline File text(std::string content) { return {.content = std::move(content)}; }
inline File program(std::string content) {
  return {git::FileMode::kExecutable, std::move(content)};
}
inline File link(std::string target) { return {git::FileMode::kLink, std::move(target)}; }
inline File submodule(char digit) { return {git::FileMode::kSubmodule, std::string(40, digit)}; }

/// A store of its own with trees in it.
class Trees {
 public:
  Trees() : store_(git::ObjectStore::open({.folder = folder_ / "store"}).value()) {}

  [[nodiscard]] git::ObjectStore& store() { return *store_; }

  git::Node node(const File& file) {
    if (file.mode == git::FileMode::kSubmodule) {
      return {file.mode, git::ObjectId::from_hex(file.content).value()};
    }
    return {file.mode, store_->put(git::ObjectKind::kBlob, file.content).value()};
  }

  git::ObjectId tree(const Files& files) {
    std::vector<git::TreeChange> changes;
    for (const auto& [path, file] : files) {
      changes.push_back({git::TreePath::parse(path).value(), node(file)});
    }
    return git::edit_tree(*store_, git::empty_tree(), std::move(changes)).value();
  }

  Files files(const git::ObjectId& tree) {
    Files files;
    git::walk(*store_, tree, std::nullopt, [&](const std::string& path, const git::Node& node) {
      const bool module = node.mode == git::FileMode::kSubmodule;
      files[path] = {node.mode, module ? node.id.to_hex() : store_->blob(node.id).value()};
      return true;
    }).value();
    return files;
  }

 private:
  const test::TemporaryDirectory folder_;
  const std::shared_ptr<git::ObjectStore> store_;
};

/// Makes commits in a repository without a working tree: what `git fast-import` reads.
class Import {
 public:
  /// `parent` is an earlier branch of this import, or empty.
  Import& commit(const std::string& branch, const std::string& parent, const Files& files) {
    marks_[branch] = marks_.size() + 1;
    script_ += "commit refs/heads/" + branch + "\nmark :" + std::to_string(marks_[branch]) +
               "\ncommitter Ada <ada@example.org> 1 +0000\ndata 0\n";
    if (!parent.empty()) script_ += "from :" + std::to_string(marks_.at(parent)) + "\n";
    script_ += "deleteall\n";
    for (const auto& [path, file] : files) add(path, file);
    return *this;
  }

  void run(const test::Repository& repository) const {
    repository.git({"fast-import", "--quiet", "--force"}, script_);
  }

 private:
  // As C writes it, every byte in octal digits.
  static std::string quoted(std::string_view path) {
    std::string text = "\"";
    for (const char c : path) {
      const auto byte = static_cast<unsigned char>(c);
      text += {'\\', static_cast<char>('0' + (byte >> 6U)),
               static_cast<char>('0' + ((byte >> 3U) & 7U)), static_cast<char>('0' + (byte & 7U))};
    }
    return text + "\"";
  }

  void add(const std::string& path, const File& file) {
    const bool module = file.mode == git::FileMode::kSubmodule;
    script_ += "M " + git::to_string(file.mode) + " " + (module ? file.content : "inline") + " " +
               quoted(path) + "\n";
    if (!module) {
      script_ += "data " + std::to_string(file.content.size()) + "\n" + file.content + "\n";
    }
  }

  std::string script_;
  std::map<std::string, std::size_t> marks_;
};

/// Random trees, the same for the same seed.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  struct Choice {
    bool odd_names = true;
    bool trailing_blanks = false;  // git cannot read some of its own patches with these
    bool links_and_submodules = true;
    bool binary = true;
    bool renames = true;
  };

  Files tree(const Choice& choice) {
    Files files;
    for (const std::string_view name : names(choice)) {
      if (random_.below(2) == 0) add(files, std::string(name), file(choice));
    }
    return files;
  }

  Files changed(Files files, const Choice& choice) {
    const Files before = files;
    for (const auto& [path, old_file] : before) {
      if (random_.below(2) == 0) change(files, path, old_file, choice);
    }
    for (const std::string_view name : names(choice)) {
      if (random_.below(6) == 0) add(files, std::string(name), file(choice));
    }
    return files;
  }

  /// A file and what lies below its path cannot both be there: the file goes.
  static void drop_clashes(Files& files) {
    std::erase_if(files, [&](const auto& item) {
      const auto below = files.lower_bound(item.first + "/");
      return below != files.end() && below->first.starts_with(item.first + "/");
    });
  }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }

 private:
  static std::vector<std::string_view> names(const Choice& choice) {
    std::vector<std::string_view> names = {"a",     "b",       "b.c",   "dir/a",
                                           "dir/b", "dir/c/d", "dir/x", "dir/x/inner",
                                           "x",     "x/y",     "x/z/w", "run.sh"};
    if (choice.odd_names) {
      names.insert(names.end(),
                   {"with space", "with\ttab", "new\nline", "quo\"te", "back\\slash", "\xff\xfe",
                    "gr\xc3\xb6\xc3\x9f"
                    "e",
                    " lead", "d d/e e"});
    }
    if (choice.trailing_blanks) names.insert(names.end(), {"trail ", "trail d /e"});
    return names;
  }

  // A file and a folder cannot both be there: the later one goes.
  static void add(Files& files, const std::string& path, File file) {
    const auto clash = [&](const auto& item) {
      return item.first.starts_with(path + "/") || path.starts_with(item.first + "/");
    };
    if (std::ranges::none_of(files, clash)) files[path] = std::move(file);
  }

  File file(const Choice& choice) {
    const std::size_t what = below(12);
    if (what == 0) return text("");
    if (what == 1 && choice.links_and_submodules) return link(below(2) == 0 ? "a" : "dir/no where");
    if (what == 2 && choice.links_and_submodules) return submodule(below(2) == 0 ? '1' : '2');
    if (what == 3 && choice.binary) return text(std::string("\0bin", 4) + lines(3));
    return {what < 6 ? git::FileMode::kExecutable : git::FileMode::kFile, lines(below(30) + 1)};
  }

  // Distinct lines, so that every comparison finds the same.
  std::string lines(std::size_t count) {
    std::string content;
    const std::string tag = std::to_string(below(1000000));
    for (std::size_t i = 0; i < count; ++i) {
      content += (i % 4 == 0 ? "section " : "  item ") + tag + " " + std::to_string(i);
      content += below(25) == 0 ? "\r\n" : "\n";
    }
    if (below(8) == 0) content.pop_back();
    return content;
  }

  void change(Files& files, const std::string& path, const File& old_file, const Choice& choice) {
    const std::size_t what = below(10);
    const bool is_file =
        old_file.mode == git::FileMode::kFile || old_file.mode == git::FileMode::kExecutable;
    if (what == 0) {
      files.erase(path);
    } else if (what == 1) {
      files.erase(path);
      add(files, path + "/below", file(choice));
    } else if (what == 2 && choice.renames) {
      files.erase(path);
      add(files, "moved " + std::to_string(below(100)), old_file);
    } else if (what == 3) {
      files[path] = file(choice);
    } else if (what == 4 && is_file) {
      files[path].mode =
          old_file.mode == git::FileMode::kFile ? git::FileMode::kExecutable : git::FileMode::kFile;
    } else if (is_file) {
      files[path].content = edited(old_file.content);
    }
  }

  std::string edited(std::string_view content) {
    std::string result;
    while (!content.empty()) {
      const std::size_t end = std::min(content.find('\n'), content.size() - 1) + 1;
      const std::size_t what = below(24);
      if (what == 0) result += "new " + std::to_string(below(1000000)) + "\n";
      if (what == 1) result += "changed " + std::to_string(below(1000000)) + "\n";
      if (what > 2 || what == 0) result += content.substr(0, end);
      content.remove_prefix(end);
    }
    if (below(20) == 0 && result.ends_with('\n')) result.pop_back();
    return result;
  }

  base::SeededRandom random_;
};

}  // namespace clever::test_trees
