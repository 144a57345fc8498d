#include "tidy/tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace clever::tidy {
namespace {

struct Word {
  std::string text;
  int line;
};

// The words of a CMake file; parentheses are words, comments are dropped.
std::vector<Word> cmake_words(std::string_view text) {
  std::vector<Word> words;
  std::string current;
  int line = 1;
  bool comment = false;
  const auto flush = [&] {
    if (!current.empty()) words.push_back({std::move(current), line});
    current.clear();
  };
  for (const char c : text) {
    if (c == '\n') {
      flush();
      comment = false;
      ++line;
    } else if (comment) {
      continue;
    } else if (c == '#') {
      flush();
      comment = true;
    } else if (c == '(' || c == ')') {
      flush();
      words.push_back({std::string(1, c), line});
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '"') {
      flush();
    } else {
      current += c;
    }
  }
  flush();
  return words;
}

std::string without_namespace(std::string_view target) {
  constexpr std::string_view kNamespace = "CleverAgents::";
  return std::string(target.starts_with(kNamespace) ? target.substr(kNamespace.size()) : "");
}

// clever_module(NAME x USES a b LINK … TEST_LINK …), or for programs
// target_link_libraries(x PRIVATE CleverAgents::a …).
Module read_module(const std::string& name, std::string_view text) {
  static const std::set<std::string, std::less<>> kKeywords = {
      "NAME", "USES", "LINK", "TEST_LINK", "POSTGRES", "FUZZED", "FUZZED_USES"};
  Module module{.name = name, .uses = {}, .test_uses = {}, .line = 1};
  std::string command;
  std::string keyword;
  std::string previous;
  for (const Word& word : cmake_words(text)) {
    if (word.text == ")") {
      command.clear();
    } else if (word.text == "(") {
      command = previous;
      keyword.clear();
      if (command == "clever_module") module.line = word.line;
    } else if (command == "clever_module") {
      if (kKeywords.contains(word.text)) {
        keyword = word.text;
      } else if (keyword == "USES") {
        module.uses.insert(word.text);
      } else if (keyword == "TEST_LINK") {
        module.test_uses.insert(without_namespace(word.text));
      }
    } else if (command == "target_link_libraries" || command == "clever_test") {
      auto& uses = command == "clever_test" ? module.test_uses : module.uses;
      if (const std::string used = without_namespace(word.text); !used.empty()) uses.insert(used);
    }
    previous = word.text;
  }
  module.test_uses.erase("");
  module.uses.erase(name);
  return module;
}

std::map<std::string, int> module_order(const Tree& tree) {
  std::map<std::string, int> order;
  const File* list = tree.find("src/CMakeLists.txt");
  if (list == nullptr) return order;
  const std::vector<Word> words = cmake_words(list->text);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i].text == "add_subdirectory") {
      order.emplace(words[i + 2].text, static_cast<int>(order.size()) + 1);
    }
  }
  return order;
}

void read_modules(Tree& tree) {
  const std::map<std::string, int> order = module_order(tree);
  for (const File& file : tree.files) {
    const std::string name = file.module();
    if (name.empty() || file.path != "src/" + name + "/CMakeLists.txt") continue;
    Module module = read_module(name, file.text);
    if (const auto found = order.find(name); found != order.end()) module.order = found->second;
    tree.modules.emplace(name, std::move(module));
  }
}

bool is_generated(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == "build" || name == "node_modules" || name == ".cache";
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

bool File::in(std::string_view folder) const {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

bool File::is_test() const {
  return path.ends_with("_test.cc") || path.ends_with("_fuzz.cc") || path.contains("/testing/") ||
         in("test") || in("bench");
}

std::string File::module() const {
  if (!in("src")) return "";
  const std::size_t end = path.find('/', 4);
  return end == std::string::npos ? "" : path.substr(4, end - 4);
}

bool File::is_public_header() const {
  return is_header() && !module().empty() && !path.contains("/internal/") && !is_test();
}

const File* Tree::find(std::string_view path) const {
  const auto found = std::ranges::lower_bound(files, path, {}, &File::path);
  return found != files.end() && found->path == path ? &*found : nullptr;
}

Tree make_tree(const std::map<std::string, std::string>& texts) {
  Tree tree;
  for (const auto& [path, text] : texts) {
    File file{.path = path, .text = text, .source = {}};
    if (file.is_cpp()) file.source = read_source(file.text);
    tree.files.push_back(std::move(file));
  }
  read_modules(tree);
  return tree;
}

std::optional<Tree> load_tree(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(root / "src", error)) return std::nullopt;
  std::map<std::string, std::string> texts;
  for (auto entry = fs::recursive_directory_iterator(root, error);
       entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_directory(error) && is_generated(entry->path())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(error)) {
      texts.emplace(entry->path().lexically_relative(root).generic_string(),
                    read_text(entry->path()));
    }
  }
  return make_tree(texts);
}

}  // namespace clever::tidy
