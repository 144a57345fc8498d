#include "git/ignore_rules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "git/git_command.h"
#include "git/internal/lines.h"
#include "git/tree.h"
#include "io/environment.h"
#include "io/file.h"

namespace clever::git {
namespace {

constexpr std::size_t kLargestFile = std::size_t{16} << 20U;

IgnoreFile rules_of(ObjectStore& store, const ObjectId& tree) {
  static const TreePath kName = TreePath::parse(".gitignore").value();
  const auto node = find(store, tree, kName);
  const bool is_file = node.ok() && *node &&
                       ((*node)->mode == FileMode::kFile || (*node)->mode == FileMode::kExecutable);
  if (!is_file) return IgnoreFile("");
  return IgnoreFile(store.blob((*node)->id, kLargestFile).value_or(std::string()));
}

std::filesystem::path usual_excludes_file() {
  const auto environment = io::Environment::of_process();
  const auto settings = environment.value("XDG_CONFIG_HOME");
  if (settings && !settings->empty()) return std::filesystem::path(*settings) / "git/ignore";
  return io::user_home(environment) / ".config/git/ignore";
}

// A missing file is empty.
std::string text_of(const std::filesystem::path& file) {
  return io::read_file(file, kLargestFile).value_or(std::string());
}

}  // namespace

IgnoreRules::IgnoreRules(ObjectStore& store, const ObjectId& tree, std::string_view excludes)
    : store_(store), excludes_(excludes), root_(load(store, tree)) {}

base::Result<std::shared_ptr<const IgnoreRules>> IgnoreRules::of_tree(ObjectStore& store,
                                                                      const ObjectId& tree,
                                                                      std::string_view excludes) {
  CLEVER_TRY(store.tree(tree));
  return std::shared_ptr<const IgnoreRules>(new IgnoreRules(store, tree, excludes));
}

std::shared_ptr<const IgnoreRules::Folder> IgnoreRules::load(ObjectStore& store,
                                                             const ObjectId& tree) {
  return std::make_shared<const Folder>(Folder{tree, rules_of(store, tree)});
}

bool IgnoreRules::ignores(std::string_view path, bool is_folder) const {
  // The tree's folders on the way, from the root.
  std::vector<Level> levels = {{.folder = root_, .length = 0}};
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    const std::string_view way = path.substr(0, slash);
    if (is_ignored(levels, way, true)) return true;
    enter(levels, way);
  }
  return !path.empty() && is_ignored(levels, path, is_folder);
}

// The rules of the nearest folder decide; the excludes are the weakest.
bool IgnoreRules::is_ignored(const std::vector<Level>& levels, std::string_view path,
                             bool is_folder) const {
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const auto decided = level->folder->rules.decides(path.substr(level->length), is_folder);
    if (decided) return *decided;
  }
  return excludes_.decides(path, is_folder).value_or(false);
}

// A folder outside the tree has no rules, and is not cached.
void IgnoreRules::enter(std::vector<Level>& levels, std::string_view path) const {
  const std::size_t above = path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1;
  if (levels.back().length != above) return;
  const auto known = folders_.with([&](const Folders& folders) -> std::shared_ptr<const Folder> {
    const auto found = folders.find(std::string(path));
    return found == folders.end() ? nullptr : found->second;
  });
  const auto folder = known ? known : load_below(*levels.back().folder, path.substr(above));
  if (!folder) return;
  if (!known) {
    folders_.with([&](Folders& folders) { folders.try_emplace(std::string(path), folder); });
  }
  levels.push_back({.folder = folder, .length = path.size() + 1});
}

std::shared_ptr<const IgnoreRules::Folder> IgnoreRules::load_below(const Folder& above,
                                                                   std::string_view name) const {
  const auto path = TreePath::parse(name);
  if (!path.ok()) return nullptr;
  const auto node = find(store_, above.tree, *path);
  if (!node.ok() || !*node || (*node)->mode != FileMode::kDirectory) return nullptr;
  return load(store_, (*node)->id);
}

namespace {

// A line of an excludes file, as it says the same of a folder below the root.
std::string rule_below(const std::string& folder, std::string_view line) {
  if (line.empty() || line.starts_with('#')) return {};
  const bool negates = line.starts_with('!');
  if (negates) line.remove_prefix(1);
  const bool is_anchored = line.find('/') + 1 < line.size() && line.contains('/');
  if (line.starts_with('/')) line.remove_prefix(1);
  return (negates ? "!/" : "/") + folder + (is_anchored ? "/" : "/**/") + std::string(line) + "\n";
}

// What lies beside the members of a group belongs to none of them.
base::Result<std::string> excludes_of_group(const Project& group) {
  std::string rules;
  std::string shown = "/*\n";
  for (const Project& member : group.members) {
    std::string folder;
    for (const char letter : member.name) {
      if (std::string_view("\\*?[").contains(letter)) folder += '\\';
      folder += letter;
    }
    CLEVER_ASSIGN(const std::string own, excludes_of(member));
    for (const std::string_view line : internal::lines_of(own)) rules += rule_below(folder, line);
    shown += "!/" + folder + "/\n";
  }
  return rules + shown;
}

}  // namespace

base::Result<std::string> excludes_of(const Project& project) {
  if (!project.members.empty()) return excludes_of_group(project);
  CLEVER_ASSIGN(const auto named,
                run_git(project.root, {"config", "--type=path", "--get", "core.excludesFile"}));
  std::string text = text_of(
      named.succeeded() ? std::filesystem::path(named.output.substr(0, named.output.find('\n')))
                        : usual_excludes_file());
  if (project.kind == ProjectKind::kFolder) return text;
  return text + "\n" + text_of(project.common_folder / "info" / "exclude");
}

}  // namespace clever::git
