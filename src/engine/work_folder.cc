#include "engine/work_folder.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "git/tree_path.h"
#include "io/file.h"
#include "io/file_names.h"

namespace clever::engine {
namespace {

namespace fs = std::filesystem;

// These folders and everything below them.
constexpr auto kSystem = std::to_array<std::string_view>(
    {"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/lost+found", "/proc",
     "/run", "/sbin", "/sys", "/usr", "/var"});
// System folders that many users share; a folder below them may be a project.
constexpr auto kOpen = std::to_array<std::string_view>(
    {"/dev/shm", "/run/media", "/usr/local/src", "/var/tmp", "/var/www"});
// Folders that contain those of many users; not projects themselves.
constexpr auto kShared = std::to_array<std::string_view>(
    {"/", "/home", "/media", "/mnt", "/opt", "/root", "/snap", "/srv", "/tmp"});

bool is_at_or_below(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

fs::path real(const fs::path& path) {
  auto found = io::real_path(path);
  return found.ok() ? *std::move(found) : path.lexically_normal();
}

bool is_of_the_system(const fs::path& root) {
  const auto is_above = [&](std::string_view folder) {
    return root != folder && is_at_or_below(root, folder);
  };
  const auto holds = [&](std::string_view folder) { return is_at_or_below(root, folder); };
  if (std::ranges::find(kShared, root.native()) != kShared.end()) return true;
  return std::ranges::any_of(kSystem, holds) && std::ranges::none_of(kOpen, is_above);
}

bool holds_secrets(const fs::path& root) {
  const fs::path below = root.relative_path();
  return git::SecretPaths().secrecy(below.native()) == git::Secrecy::kSecret;
}

}  // namespace

bool is_named_project(const git::Project& project, const WorkFolderRules& rules) {
  if (project.kind == git::ProjectKind::kRepository) return true;
  const fs::path settings = project.root / ".cleveragents";
  return io::file_kind(settings) == io::FileKind::kDirectory &&
         !io::same_file(settings, rules.own_home);
}

base::Result<void> check_work_folder(const git::Project& project, const WorkFolderRules& rules) {
  if (project.kind == git::ProjectKind::kRepository) return {};
  const fs::path& root = project.root;
  const auto refused = [&](std::string_view what) {
    return base::permission_denied(git::printable(root.string()) + " " + std::string(what) +
                                   ": change to a folder that holds only the project's files");
  };
  if (is_of_the_system(root)) return refused("is a system folder");
  if (!rules.home.empty() && is_at_or_below(real(rules.home), root)) {
    return refused(real(rules.home) == root ? "is your home folder" : "contains your home folder");
  }
  if (!rules.own_home.empty() && is_at_or_below(root, real(rules.own_home))) {
    return refused("holds agents' own files");
  }
  if (holds_secrets(root)) return refused("holds secrets");
  return {};
}

}  // namespace clever::engine
