#pragma once
// The repository's files and modules, as the rules see them.
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tidy/source.h"

namespace clever::tidy {

struct File {
  std::string path;  // from the root, with '/'
  std::string text;
  Source source;  // of C++ files

  [[nodiscard]] bool in(std::string_view folder) const;
  [[nodiscard]] bool is_cpp() const { return is_header() || path.ends_with(".cc"); }
  [[nodiscard]] bool is_header() const { return path.ends_with(".h"); }
  /// Tests, wherever they lie: what is banned in the product only is allowed here.
  [[nodiscard]] bool is_test() const;
  /// "base" for src/base/…, "" outside src/.
  [[nodiscard]] std::string module() const;
  /// A header that other modules may include.
  [[nodiscard]] bool is_public_header() const;
};

/// What src/NAME/CMakeLists.txt says.
struct Module {
  std::string name;
  std::set<std::string> uses;
  std::set<std::string> test_uses;
  int line;       // of the uses
  int order = 0;  // place in src/CMakeLists.txt, from 1; 0 if missing there
};

struct Tree {
  std::vector<File> files;
  std::map<std::string, Module> modules;

  [[nodiscard]] const File* find(std::string_view path) const;
};

/// Builds a tree from texts by path; for tests.
[[nodiscard]] Tree make_tree(const std::map<std::string, std::string>& texts);

/// Reads what belongs to the repository: not .git and not build folders. Empty if there is no src/.
[[nodiscard]] std::optional<Tree> load_tree(const std::filesystem::path& root);

}  // namespace clever::tidy
