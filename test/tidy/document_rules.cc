// Documents: links that lead somewhere, and a table of modules that says what CMake says.
#include <filesystem>
#include <set>
#include <sstream>

#include "tidy/rules.h"

namespace clever::tidy {
namespace {

bool is_document(const File& file) { return file.path.ends_with(".md"); }

// Calls f(line number, line) for each line outside fenced code.
template <typename F>
void each_line_of_prose(const File& file, F f) {
  std::istringstream lines(file.text);
  bool fenced = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("```")) {
      fenced = !fenced;
    } else if (!fenced) {
      f(number, line);
    }
  }
}

// The anchor that a forge gives a heading: lower case, spaces as hyphens, no other punctuation.
std::string anchor(std::string_view heading) {
  std::string result;
  for (const char c : heading) {
    if (c >= 'A' && c <= 'Z') {
      result += static_cast<char>(c - 'A' + 'a');
    } else if (c == ' ') {
      result += '-';
    } else if (c == '-' || c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               static_cast<unsigned char>(c) >= 0x80) {
      result += c;
    }
  }
  return result;
}

std::set<std::string> anchors(const File& file) {
  std::set<std::string> found;
  each_line_of_prose(file, [&](int, const std::string& line) {
    const std::size_t end = line.find_first_not_of('#');
    if (end == 0 || end == std::string::npos || line[end] != ' ') return;
    const std::string name = anchor(std::string_view(line).substr(end + 1));
    for (int twin = 0; !found.insert(twin == 0 ? name : name + "-" + std::to_string(twin)).second;)
      ++twin;
  });
  return found;
}

// A folder is there if it holds a file.
bool is_in(const Tree& tree, const std::string& path) {
  if (tree.find(path) != nullptr) return true;
  for (const File& file : tree.files) {
    if (file.in(path)) return true;
  }
  return false;
}

// What is wrong with a link; empty if nothing is.
std::string dead_link(const Tree& tree, const File& file, const std::string& target) {
  if (target.find("://") != std::string::npos || target.starts_with("mailto:")) return {};
  const std::size_t hash = target.find('#');
  const std::string path = target.substr(0, hash);
  std::string place = file.path;
  if (!path.empty()) {
    const auto folder = std::filesystem::path(file.path).parent_path();
    place = (folder / path).lexically_normal().generic_string();
    if (place.ends_with('/')) place.pop_back();
    if (!is_in(tree, place)) return place + " does not exist";
  }
  if (hash == std::string::npos) return {};
  const File* document = tree.find(place);
  if (document == nullptr || !is_document(*document)) return {};
  if (anchors(*document).contains(target.substr(hash + 1))) return {};
  return place + " has no heading for '" + target.substr(hash) + "'";
}

void check_links(const Tree& tree, const File& file, Findings& findings) {
  each_line_of_prose(file, [&](int number, const std::string& line) {
    for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](", at + 2)) {
      const std::size_t end = line.find(')', at);
      if (end == std::string::npos) break;
      const std::string why = dead_link(tree, file, line.substr(at + 2, end - at - 2));
      if (why.empty()) continue;
      findings.push_back({file.path, number, "dead-link", why, "correct the link, or remove it"});
    }
  });
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> result;
  std::istringstream text(row.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) {
    const std::size_t begin = cell.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    result.push_back(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
  }
  return result;
}

std::string listed(const std::set<std::string>& uses) {
  std::string text;
  for (const std::string& name : uses) text += (text.empty() ? "" : " ") + name;
  return text.empty() ? "–" : text;
}

std::set<std::string> words(const std::string& cell) {
  std::istringstream text(cell == "–" ? std::string() : cell);
  std::set<std::string> result;
  for (std::string word; text >> word;) result.insert(word);
  return result;
}

// Rows "| `module` | holds | uses |" below the heading "Modules".
void check_module_table(const Tree& tree, Findings& findings) {
  const File* page = tree.find("ARCHITECTURE.md");
  if (page == nullptr) return;
  std::set<std::string> missing;
  for (const auto& [name, module] : tree.modules) missing.insert(name);
  bool inside = false;
  const auto report = [&](int line, std::string what, std::string cure) {
    findings.push_back({page->path, line, "module-table", std::move(what), std::move(cure)});
  };
  each_line_of_prose(*page, [&](int number, const std::string& line) {
    if (line.starts_with("#")) inside = line == "## Modules";
    if (!inside || !line.starts_with("| `")) return;
    const std::vector<std::string> row = cells(line);
    const std::string name = row[0].substr(1, row[0].size() - 2);
    const auto module = tree.modules.find(name);
    if (module == tree.modules.end()) {
      report(number, "there is no module '" + name + "'", "remove the row");
      return;
    }
    missing.erase(name);
    if (words(row.back()) == module->second.uses) return;
    report(number, "'" + name + "' is said to use '" + row.back() + "'",
           "write what its CMakeLists.txt says: " + listed(module->second.uses));
  });
  for (const std::string& name : missing) {
    report(1, "the table has no row for '" + name + "'", "add one");
  }
}

// Every page of docs/ is linked from docs/README.md.
void check_index(const Tree& tree, Findings& findings) {
  const File* index = tree.find("docs/README.md");
  if (index == nullptr) return;
  for (const File& file : tree.files) {
    if (!file.in("docs") || !is_document(file) || &file == index) continue;
    const std::string link = "](" + file.path.substr(std::string_view("docs/").size()) + ")";
    if (index->text.find(link) != std::string::npos) continue;
    findings.push_back({file.path, 1, "docs-index", "docs/README.md does not link this page",
                        "put the page into one of the four groups, and add a row there"});
  }
}

}  // namespace

void check_documents(const Tree& tree, Findings& findings) {
  for (const File& file : tree.files) {
    if (is_document(file)) check_links(tree, file, findings);
  }
  check_module_table(tree, findings);
  check_index(tree, findings);
}

}  // namespace clever::tidy
