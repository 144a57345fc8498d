#include "git/project_group.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/sha256.h"
#include "git/internal/in_quotes.h"
#include "git/tree_path.h"
#include "io/directory.h"
#include "io/disk.h"
#include "io/file.h"
#include "io/file_names.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGroups = "groups";
constexpr const char* kMembers = "members";
constexpr std::size_t kLongestNames = 100;

/// The list in a group's folder: the roots, each with a NUL behind it.
std::string list_of(const std::vector<Project>& members) {
  std::string text;
  for (const Project& member : members) text += member.root.string() + '\0';
  return text;
}

std::string folder_in_quotes(const fs::path& path) { return internal::in_quotes(path.string()); }

bool lies_in(const fs::path& inner, const fs::path& outer) {
  const auto [end, rest] = std::ranges::mismatch(outer, inner);
  return end == outer.end() && rest != inner.end();
}

base::Result<Project> usable_member(const fs::path& folder, const SecretRules& rules) {
  auto found = Project::find(folder, rules);
  if (!found.ok()) {
    return base::invalid_argument("project " + folder_in_quotes(folder) + ": " +
                                  found.error().sentence());
  }
  if (found->kind != ProjectKind::kRepository) {
    return base::invalid_argument("project " + folder_in_quotes(folder) +
                                  " is not a git repository: of several projects each must be "
                                  "one; run `git init` there");
  }
  for (const fs::path& place : {found->root, found->common_folder}) {
    const auto facts = io::place_facts(place);
    if (facts.ok() && facts->writable) continue;
    return base::invalid_argument("project " + folder_in_quotes(folder) + " is read-only: " +
                                  folder_in_quotes(place) + " cannot be written");
  }
  // As it was given, until the group names it.
  found->name = folder.string();
  return found;
}

base::Result<void> check_apart(const std::vector<Project>& members) {
  for (auto one = members.begin(); one != members.end(); ++one) {
    for (auto other = one + 1; other != members.end(); ++other) {
      const std::string both =
          folder_in_quotes(one->name) + " and " + folder_in_quotes(other->name);
      if (one->common_folder == other->common_folder) {
        return base::invalid_argument("the projects " + both + " are the same repository (" +
                                      folder_in_quotes(one->common_folder) + "): give one of them");
      }
      if (lies_in(one->root, other->root) || lies_in(other->root, one->root)) {
        return base::invalid_argument("of the projects " + both +
                                      " one lies in the other: give projects beside each other");
      }
    }
  }
  return {};
}

// The names of the folders; where two are called the same, with a number.
void name_members(std::vector<Project>& members) {
  for (auto member = members.begin(); member != members.end(); ++member) {
    std::string name = member->root.filename().string();
    if (!TreePath::parse(name).ok()) name = "project";
    const auto is_taken = [&](const std::string& wanted) {
      return std::any_of(members.begin(), member,
                         [&](const Project& earlier) { return earlier.name == wanted; });
    };
    member->name = name;
    for (int number = 2; is_taken(member->name); ++number) {
      member->name = name + "-" + std::to_string(number);
    }
  }
}

Project group_of(fs::path folder, std::vector<Project> members) {
  Project group;
  group.root = std::move(folder);
  std::ranges::sort(members, {}, &Project::root);
  name_members(members);
  std::vector<std::pair<std::string, SecretPaths>> secrets;
  for (const Project& member : members) {
    std::ranges::copy(member.object_folders, std::back_inserter(group.object_folders));
    secrets.emplace_back(member.name, member.secrets);
  }
  group.attributes_file = members.front().attributes_file;
  group.secrets = SecretPaths(std::move(secrets));
  group.members = std::move(members);
  return group;
}

std::string folder_name(const Project& group) {
  std::string names;
  for (const Project& member : group.members) names += (names.empty() ? "" : "+") + member.name;
  if (names.size() > kLongestNames) names.resize(kLongestNames);
  return names + "-" + base::sha256(list_of(group.members)).to_hex().substr(0, 12);
}

TreePath below(const std::string& name, const TreePath& path) {
  return TreePath::parse(name + "/" + path.text()).value_or(path);
}

void add_below(const std::string& name, const std::vector<TreePath>& paths,
               std::vector<TreePath>& into) {
  for (const TreePath& path : paths) into.push_back(below(name, path));
  std::ranges::sort(into);
}

}  // namespace

base::Result<Project> make_project_group(const std::vector<fs::path>& folders,
                                         const SecretRules& rules) {
  std::vector<Project> members;
  for (const fs::path& folder : folders) {
    CLEVER_ASSIGN(Project member, usable_member(folder, rules));
    members.push_back(std::move(member));
  }
  CLEVER_TRY(check_apart(members));
  Project group = group_of({}, std::move(members));
  const fs::path folder = rules.own_home / kGroups / folder_name(group);
  CLEVER_TRY(io::make_directories(folder));
  CLEVER_ASSIGN(group.root, io::real_path(folder));
  CLEVER_TRY(io::write_file_atomically(group.root / kMembers, list_of(group.members)));
  return group;
}

bool is_project_group(const fs::path& folder, const fs::path& own_home) {
  if (own_home.empty() || folder.parent_path().filename() != kGroups) return false;
  const auto real = io::real_path(folder);
  const auto home = io::real_path(own_home);
  return real.ok() && home.ok() && real->parent_path() == *home / kGroups &&
         io::file_kind(*real / kMembers) == io::FileKind::kFile;
}

std::vector<fs::path> member_roots(const fs::path& folder) {
  std::vector<fs::path> roots;
  const auto text = io::read_file(folder / kMembers);
  if (!text.ok()) return roots;
  for (std::string_view rest = *text; rest.contains('\0');) {
    roots.emplace_back(rest.substr(0, rest.find('\0')));
    rest.remove_prefix(rest.find('\0') + 1);
  }
  return roots;
}

base::Result<Project> find_project_group(const fs::path& folder, const SecretRules& rules) {
  CLEVER_ASSIGN(fs::path real, io::real_path(folder));
  std::vector<Project> members;
  for (const fs::path& root : member_roots(real)) {
    CLEVER_ASSIGN(Project member, Project::find(root, rules));
    const bool is_it = member.kind == ProjectKind::kRepository && member.root == root;
    if (!is_it) return base::not_found(folder_in_quotes(root) + " is no git repository any more");
    members.push_back(std::move(member));
  }
  if (members.empty())
    return base::corruption(folder_in_quotes(real / kMembers) + " names no project");
  return group_of(std::move(real), std::move(members));
}

std::vector<fs::path> groups_with(const fs::path& root, const fs::path& own_home) {
  std::vector<fs::path> found;
  const auto home = io::real_path(own_home / kGroups);
  if (!home.ok()) return found;
  const auto folder = io::Directory::open(*home);
  if (!folder.ok()) return found;
  static_cast<void>(folder->list("", [&](std::string_view name, io::EntryFacts::Kind /*kind*/) {
    const auto roots = member_roots(*home / name);
    if (std::ranges::find(roots, root) != roots.end()) found.push_back(*home / name);
    return true;
  }));
  std::ranges::sort(found);
  return found;
}

std::optional<MemberPath> member_path(const Project& group, std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto member = std::ranges::find(group.members, path.substr(0, slash), &Project::name);
  if (member == group.members.end()) return std::nullopt;
  return MemberPath{static_cast<std::size_t>(member - group.members.begin()),
                    path.substr(slash + 1)};
}

base::Result<BaseSnapshot> joined_snapshot(
    const Project& group, ObjectStore& store,
    const std::function<base::Result<BaseSnapshot>(const Project& member)>& take,
    const base::StopToken& stop, base::Deadline deadline) {
  BaseSnapshot joined{.head = {.branch = "", .commit = std::nullopt, .tree = empty_tree()}};
  std::vector<TreeEntry> folders;
  for (const Project& member : group.members) {
    CLEVER_ASSIGN(const BaseSnapshot one, take(member));
    folders.push_back({member.name, {FileMode::kDirectory, one.tree}});
    joined.heads.push_back(one.head);
    add_below(member.name, one.uncommitted, joined.uncommitted);
    add_below(member.name, one.submodules, joined.submodules);
    add_below(member.name, one.filtered, joined.filtered);
    add_below(member.name, one.hidden, joined.hidden);
    for (const std::string& remark : one.remarks) {
      joined.remarks.push_back(member.name + ": " + remark);
    }
  }
  CLEVER_ASSIGN(joined.tree, store.put_tree(std::move(folders)));
  CLEVER_TRY(store.sync(stop, deadline));
  return joined;
}

}  // namespace clever::git
